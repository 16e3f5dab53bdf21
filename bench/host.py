#!/usr/bin/env python3
"""Latency of modules on this machine against LiteRT with XNNPACK, in one process and one thread (scripts/bench host calls
this).

Each model is converted for x86-64 with goal latency, built with -O3 -march=native together with bench/host.inc, and run in
rounds that alternate with LiteRT's. The minimum of the rounds is the figure to go by where the machine does other work
besides; the median is shown with it. A ratio below 1 means that the module is faster. `difference` is the largest one of an
8-bit output in steps: XNNPACK rounds once where the reference kernels, and the modules, round twice."""
import argparse
import json
import os
import re
import shutil
import sys

from measure import ROOT, run

FLAGS = "-O3 -march=native -ffp-contract=off -std=gnu11"
COLUMNS = ("module_min", "module_median", "peer_min", "peer_median", "ratio_min", "ratio_median", "difference")


def build(options, model, name):
    """The program that measures the module and LiteRT."""
    prefix = re.sub(r"\W", "_", name).lower()
    folder = os.path.join(options.work, prefix)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(options.work, exist_ok=True)
    run([options.compiler, "convert", "--model.path", model, "--module.path", options.work, "--module.name", prefix,
         "--module.prefix", prefix, "--module.schedule", "static", "--platform.name", "x86-64",
         "--optimization.goal", "latency"])
    main = os.path.join(options.work, prefix + "_host.c")
    with open(main, "w") as out:
        out.write('#include "%s_model.h"\n#define P(name) %s_##name\n#define U(name) %s_##name\n#include "host.inc"\n'
                  % (prefix, prefix, prefix.upper()))
    sources = sorted(os.path.join(folder, "src", f) for f in os.listdir(os.path.join(folder, "src")) if f.endswith(".c"))
    folders = [os.path.join(folder, "includes-api"), os.path.join(folder, "src"), os.path.join(ROOT, "bench")]
    program = os.path.join(options.work, prefix + "_host")
    run([options.cc, *FLAGS.split(), *["-I" + f for f in folders], main, os.path.join(ROOT, "bench/litert.c"), *sources,
         "-lm", "-ldl", "-o", program])
    return program


def measure(options, model, name):
    said = run([build(options, model, name), options.litert, model, str(options.rounds)])
    if "XNNPACK delegate" not in said:
        raise RuntimeError("LiteRT did not say that XNNPACK runs the model:\n" + said)
    row = {key: int(value) if re.fullmatch(r"-?\d+", value) else value
           for key, value in re.findall(r"^(\w+)=(.*)$", said, re.M)}
    row["ratio_min"] = round(row["module_min"] / row["peer_min"], 3)
    row["ratio_median"] = round(row["module_median"] / row["peer_median"], 3)
    row["flags"] = FLAGS
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="the helia-aot executable")
    parser.add_argument("--litert", required=True, help="LiteRT's shared library, libLiteRt.so of the package ai-edge-litert")
    parser.add_argument("--work", required=True, help="where everything is made")
    parser.add_argument("--models", default=os.path.join(ROOT, "models"), help="folder of .tflite files")
    parser.add_argument("--match", default="", help="only models whose name holds this text")
    parser.add_argument("--rounds", type=int, default=200, help="of about a millisecond each, for either side")
    parser.add_argument("--cc", default="gcc", help="the compiler of the modules")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    results, failures = {}, 0
    print("%-48s" % "nanoseconds" + "".join("%14s" % column for column in COLUMNS))
    for file in sorted(os.listdir(options.models)):
        name = os.path.splitext(file)[0]
        if not file.endswith(".tflite") or options.match not in file:
            continue
        try:
            row = results[name] = measure(options, os.path.join(options.models, file), name)
        except RuntimeError as failure:
            failures += 1
            print("FAIL %s: %s" % (name, failure))
            continue
        print("%-48s" % name + "".join("%14s" % format(row[column], ",") for column in COLUMNS))
    for row in list(results.values())[:1]:
        print("module: %s; machine, of which XNNPACK takes what it can: %s; one thread each; %s"
              % (row["module_isa"], row["machine_isa"], row["flags"]))
    with open(os.path.join(options.work, "host.json"), "w") as out:
        json.dump(results, out, indent=1)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
