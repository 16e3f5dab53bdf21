# Steps that the examples' run.sh share. Before reading this file they set `here`, their own folder.
#   HELIA_BUILD   a build folder of helia-aot with the executable and libhelia_aot.so; default build/release
#   HELIA_OUT     where everything is made; default build/examples/<example>
#   CC, CFLAGS    the compiler of this machine and its flags
root=$(cd "$here/../.." && pwd)
build=$(cd "${HELIA_BUILD:-$root/build/release}" && pwd) || exit 2
aot=$build/helia-aot
cc=${CC:-cc}
mkdir -p "${HELIA_OUT:=$root/build/examples/$(basename "$here")}"
out=$(cd "$HELIA_OUT" && pwd)

# model FILE.tflite ARGUMENTS...: writes a model with the example's make_model.c.
model() {
    if [ ! -x "$out/make_model" ] || [ "$here/make_model.c" -nt "$out/make_model" ]; then
        $cc -std=c11 -Wall -Wextra ${CFLAGS-} -I"$root/include" -I"$here/../common" "$here/make_model.c" \
            -o "$out/make_model" -L"$build" -lhelia_aot -lm -Wl,-rpath,"$build"
    fi
    "$out/make_model" "$@"
}

# plugin NAME SOURCES...: the plug-in $out/NAME.so.
plugin() {
    name=$1
    shift
    $cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden ${PLUGIN_FLAGS-} -I"$root/include" -o "$out/$name.so" "$@"
}

# application SOURCE MODULE: the generated module with its application, built and run on this machine.
application() {
    $cc -std=c99 -Wall -Wextra -Werror -O2 -ffp-contract=off -I"$2/includes-api" -I"$2/src" -o "$out/application" "$1" \
        "$2"/src/*.c -lm
    "$out/application"
}

# refuses TEXT COMMAND...: the command fails, says so, and has written nothing.
refuses() {
    text=$1
    shift
    rm -rf "$out/refused"
    if "$@" >"$out/refused.log" 2>&1; then
        echo "was accepted: $*" >&2
        return 1
    fi
    if ! grep -qF -e "$text" "$out/refused.log" || [ -e "$out/refused" ]; then
        echo "expected \"$text\" and no module from: $*" >&2
        cat "$out/refused.log" >&2
        return 1
    fi
}
