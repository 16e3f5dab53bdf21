#!/bin/sh
# An operator with options, scratch, state and a kernel of its own: converts a model with it and runs the module.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

model "$out/fir.tflite"
plugin fir "$here/fir.c" "$here/helia_fir_s8.c"
cp "$here"/helia_fir_s8.[ch] "$out" # the plug-in takes its kernel's sources from beside itself
convert="$aot convert --platform.name host --module.name fir --module.prefix fir --force --plugin $out/fir.so"
$convert --model.path "$out/fir.tflite" --module.path "$out"
application "$here/main.c" "$out/fir"
test -f "$out/fir/src/fir_helia_fir_s8.c"

model "$out/key.tflite" unknown-key
refuses 'unknown key "shifs"; accepted: shift, taps' $convert --model.path "$out/key.tflite" --module.path "$out/refused"
model "$out/broken.tflite" broken
refuses "no FlexBuffers map" $convert --model.path "$out/broken.tflite" --module.path "$out/refused"
model "$out/history.tflite" short-history
refuses "a variable of 3 inputs as history" $convert --model.path "$out/history.tflite" --module.path "$out/refused"
model "$out/shift.tflite" big-shift
refuses "shift 0 to 15" $convert --model.path "$out/shift.tflite" --module.path "$out/refused"
