#!/bin/sh
# A transform of a plug-in: of three RELU in a row, the one in the middle goes (the last one makes the graph's output).
# The configuration switches it like a built-in one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

model "$out/relu.tflite"
plugin repeated_relu "$here/repeated_relu.c"
convert="$aot convert --model.path $out/relu.tflite --platform.name host --module.prefix t --module.name t --force"

# operators MODULE N: the module runs N operators.
operators() {
    grep -qE "T_NUM_OPERATORS $2u" "$1"/includes-api/*.h || {
        echo "$1 does not have $2 operators" >&2
        exit 1
    }
}

$convert --module.path "$out/off" --plugin "$out/repeated_relu.so" --transforms '[{name: drop_repeated_relu, enabled: false}]'
operators "$out/off/t" 3
$convert --module.path "$out/on" --plugin "$out/repeated_relu.so"
operators "$out/on/t" 2
$convert --module.path "$out/unused" --plugin "$out/repeated_relu.so" --dump drop_repeated_relu \
    --stop-after drop_repeated_relu | grep -c RELU | grep -qx 2
echo "transform: one RELU of three is gone"

refuses 'unknown transform "drop_repeated_relu"' $convert --module.path "$out/refused" \
    --transforms '[{name: drop_repeated_relu, enabled: false}]'
