#!/bin/sh
# An operator that writes its own code, with options, state and scratch: converts a model with it and runs the module and
# its generated test.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

plugin rank_filter "$here/rank_filter.c"
"$aot" operators list --plugin "$out/rank_filter.so" | grep -A1 "^RANK_FILTER: the lowest, median or highest" |
    grep -q "own code"
convert="$aot convert --platform.name host --module.name rank --module.prefix rank --force --plugin $out/rank_filter.so"
model "$out/median.tflite" 3
$convert "$out/median.tflite" --module.path "$out" --test.enabled --test.num_iterations 4
application "$here/main.c" "$out/rank"

# Options: an absent key has its default, words are those of the class.
model "$out/default.tflite"
$convert "$out/default.tflite" --module.path "$out/default"
grep -q 'sorted\[2\]; /\* the median' "$out/default/rank/src/rank_rank_filter_0.c"
model "$out/highest.tflite" 7 highest
$convert "$out/highest.tflite" --module.path "$out/highest"
grep -q 'sorted\[6\]; /\* the highest' "$out/highest/rank/src/rank_rank_filter_0.c"

model "$out/middle.tflite" 3 middle
refuses "lowest, median or highest" $convert "$out/middle.tflite" --module.path "$out/refused"
model "$out/many.tflite" 33
refuses "frames is 33; accepted: 1 to 32" $convert "$out/many.tflite" --module.path "$out/refused"
