#!/bin/sh
# Makes a model with a custom operator, builds the plug-in for it, converts, and runs the module on this machine.
# Then shows what is refused.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

model "$out/custom_noop.tflite"
plugin custom_noop "$here/custom_noop.c"
cp "$here/convert.yaml" "$out"
"$aot" convert --path "$out/convert.yaml" --module.path "$out" --force
application "$here/main.c" "$out/noop"

# The recorded configuration names the plug-in, and makes the same module again.
grep -q 'name: custom_noop' "$out/noop/helia_aot.yaml"
"$aot" convert --path "$out/noop/helia_aot.yaml" --model.path "$out/custom_noop.tflite" --plugin "$out/custom_noop.so" \
    --module.path "$out/again" --force
diff -r "$out/noop" "$out/again/noop"

# Without the plug-in there is no such operator; the plug-in takes int8, and input and output of one size.
convert="$aot convert --module.path $out/refused --model.path"
refuses "the operator is not supported" $convert "$out/custom_noop.tflite"
model "$out/float.tflite" float32
refuses "accepted: int8 for both" $convert "$out/float.tflite" --plugin "$out/custom_noop.so"
model "$out/sizes.tflite" int8 16 8
refuses "accepted: the same size" $convert "$out/sizes.tflite" --plugin "$out/custom_noop.so"
model "$out/code.tflite" int8 16 16 custom.noop
refuses "which is no C identifier" $convert "$out/code.tflite" --plugin "$out/custom_noop.so"
