#!/usr/bin/env python3
"""Time to convert each model (scripts/bench convert calls this): the mean user time and the shortest wall time of several
runs. The mean, because the kernel may count user time in steps of milliseconds."""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time

ROUNDS = 20


def once(compiler, model, work):
    shutil.rmtree(work, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    began = time.monotonic()
    subprocess.run([compiler, "convert", "--model.path", model, "--module.path", work, "--verbose", "0",
                    "--platform.name", "cortex-m55"], check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--models", required=True)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    results = {}
    for name in sorted(os.listdir(options.models)):
        if not name.endswith(".tflite"):
            continue
        model = os.path.join(options.models, name)
        try:
            times = [once(options.compiler, model, os.path.join(options.work, "convert")) for _ in range(ROUNDS)]
        except subprocess.CalledProcessError as failure:
            print("FAIL %s: %s" % (name, failure.stderr.decode(errors="replace")))
            return 1
        results[name] = {"user_ms": round(1000 * sum(t[0] for t in times) / ROUNDS, 1),
                         "wall_ms": round(1000 * min(t[1] for t in times), 1)}
        print("%-28s user %7.1f ms   wall %7.1f ms" % (name, results[name]["user_ms"], results[name]["wall_ms"]))
    with open(os.path.join(options.work, "convert.json"), "w") as out:
        json.dump(results, out, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
