#!/bin/sh
# Builds a program with the library, converts a model with it, and compares with what the command line makes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

$cc -std=c11 -Wall -Wextra ${CFLAGS-} -I"$root/include" "$here/convert.c" -o "$out/convert" -L"$build" -lhelia_aot \
    -Wl,-rpath,"$build"
cat >"$out/digits.yaml" <<END
module:
  name: digits
  prefix: digits
platform:
  name: cortex-m55
END
rm -rf "$out/program"
"$out/convert" "$root/models/digits.tflite" "$out/digits.yaml" "$out/program" | tee "$out/program.txt"
grep -q '^[1-9][0-9]* operators, [1-9][0-9]* files$' "$out/program.txt"
grep -q '^CONSTANT in ' "$out/program.txt"
"$aot" convert "$root/models/digits.tflite" --path "$out/digits.yaml" --module.path "$out/line" --force
diff -r "$out/program" "$out/line"
