#!/bin/sh
# Converts a model whose operator no parser knows, through a hook that rewrites it first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

model "$out/legacy.tflite"
plugin legacy_relu "$here/legacy_relu.c"
convert="$aot convert --model.path $out/legacy.tflite --platform.name host --module.name hook --module.prefix hook --force"
$convert --module.path "$out" --plugin "$out/legacy_relu.so"
application "$here/main.c" "$out/hook"

# What the hooks made is a LiteRT model again, which needs no plug-in.
mkdir -p "$out/plain"
$convert --module.path "$out/unused" --plugin "$out/legacy_relu.so" --dump hooks --stop-after hooks \
    >"$out/plain/legacy.tflite"
$convert --model.path "$out/plain/legacy.tflite" --module.path "$out/plain"
cmp "$out/hook/src/hook_relu_0.c" "$out/plain/hook/src/hook_relu_0.c"

refuses "the operator is not supported" $convert --module.path "$out/refused"
