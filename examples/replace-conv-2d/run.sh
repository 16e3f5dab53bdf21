#!/bin/sh
# Converts a model with the built-in CONV_2D and with the replacement, and compares what the two modules compute.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

model "$out/conv.tflite"
PLUGIN_FLAGS="-I$root/runtime/include -I$root/runtime/kernels/conv_2d"
plugin pointwise "$here/pointwise.c"
convert="$aot convert --model.path $out/conv.tflite --platform.name host --module.name conv --module.prefix conv --force"

$convert --module.path "$out/builtin"
application "$here/main.c" "$out/builtin/conv" >"$out/builtin.txt"
$convert --module.path "$out/replaced" --plugin "$out/pointwise.so" --plugin-allow-override
application "$here/main.c" "$out/replaced/conv" >"$out/replaced.txt"
cmp "$out/builtin.txt" "$out/replaced.txt"

# The pointwise operator is the plug-in's, the other one still calls the built-in kernel.
grep -q 'pixel < 36' "$out/replaced/conv/src/conv_conv_2d_0.c"
grep -q 'helia_conv_2d_s8_c' "$out/replaced/conv/src/conv_conv_2d_1.c"
echo "replace-conv-2d: the replacement computes what the built-in does"

refuses "only where overriding is allowed" $convert --module.path "$out/refused" --plugin "$out/pointwise.so"
