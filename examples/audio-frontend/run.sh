#!/bin/sh
# Audio features with the operators of the plug-in audio_frontend: converts a model of them and runs the module.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/steps.sh"

model "$out/frontend.tflite"
convert="$aot convert --platform.name host --module.name frontend --module.prefix frontend --force"
convert="$convert --model.path $out/frontend.tflite"
$convert --module.path "$out" --plugin "$build/helia_audio_frontend.so"
application "$here/main.c" "$out/frontend"

refuses 'SIGNALWINDOW "windowed": error: the operator is not supported' $convert --module.path "$out/refused"
