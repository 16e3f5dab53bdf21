#!/usr/bin/env python3
"""Measures the modules of a folder of models under QEMU (scripts/bench calls this).

For each model, target (Cortex-M4, M55) and goal (latency, size): executed instructions of the second of two inferences
(exact), modelled cycles (prof.py), instructions of init, code and weights in flash, RAM; for goal latency also instructions
and cycles of each operator, from a second image with a wrapper around each. Flags: -O2, or -Os for goal size; unused
sections are dropped; the empty harness is subtracted. Code is everything in flash but the weights the module counts
itself; RAM is data, arenas and the stack's high-water mark, without the context, which is shown apart.

Peers' figures (peers.json) stand beside ours where there are any: of a model, and of its operators by their number.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QEMU = os.path.join(ROOT, "tests/qemu")
sys.path.insert(0, QEMU)
import prof  # noqa: E402

TARGETS = {
    "m4": ("cortex-m4", "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -DBENCH_SYSCLK_HZ=25000000", "mps2_an386.ld"),
    "m55": ("cortex-m55", "-mcpu=cortex-m55 -DBENCH_SYSCLK_HZ=32000000", "mps3_an547.ld"),
}
GOALS = {"latency": "-O2", "size": "-Os"}
MARK_INIT, MARK_RUN, MARK_OPERATOR, MARK_END = 1, 2, 16, 1024  # operators are numbered from MARK_OPERATOR on
GROWTH = 1.005  # more than this against the baseline is a finding
COLUMNS = ("instructions", "cycles", "init", "code", "weights", "flash", "ram", "context")


def run(command, **keywords):
    result = subprocess.run(command, capture_output=True, text=True, **keywords)
    if result.returncode != 0:
        raise RuntimeError("%s\n%s%s" % (" ".join(command), result.stdout, result.stderr))
    return result.stdout + result.stderr


def compile_image(target, level, sources, folders, image, more=()):
    flags, script = TARGETS[target][1:]
    run(["arm-none-eabi-gcc", *flags.split(), "-std=c99", "-mthumb", "-mfloat-abi=hard", level, "-ffp-contract=off",
         "-ffunction-sections", "-fdata-sections", *["-I" + folder for folder in folders], *sources,
         os.path.join(QEMU, "bench.c"), os.path.join(QEMU, "startup.c"), "-nostartfiles", "-Wl,--gc-sections",
         "-L" + QEMU, "-T" + script, *more, "-lm", "-o", image])


def section_sizes(image):
    """(flash, RAM without the stack)"""
    flash = ram = 0
    for line in run(["arm-none-eabi-size", "-A", image]).splitlines():
        fields = line.split()
        if len(fields) != 3 or not fields[1].isdigit():
            continue
        name, size = fields[0], int(fields[1])
        if name in (".vectors", ".text", ".rodata", ".ARM.extab", ".ARM.exidx", ".data"):
            flash += size
        if name in (".data", ".bss"):
            ram += size
    return flash, ram


def key_values(text):
    return {key: int(value, 0) for key, value in re.findall(r"^(\w+)=(\w+)$", text, re.M)}


def figures(region):
    return {"instructions": region.instructions, "cycles": round(region.cycles)}


def operator_number(name):
    return name.rsplit("_", 1)[1]


def operator_functions(prefix, folder):
    """The operators' names with the prefix, by the number at their end: those headers that declare <name>_run."""
    names = [f[:-2] for f in os.listdir(folder) if re.search(r"_\d+\.h$", f)]
    names = [n for n in names if re.search(r"\b%s_run\b" % n, open(os.path.join(folder, n + ".h")).read())]
    return sorted(names, key=lambda name: int(operator_number(name)))


def measure(options, model, target, goal):
    name = os.path.splitext(os.path.basename(model))[0]
    prefix = re.sub(r"\W", "_", name).lower()
    work = os.path.join(options.work, target, goal)
    folder = os.path.join(work, prefix)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(work, exist_ok=True)
    run([options.compiler, "convert", "--model.path", model, "--module.path", work, "--module.name", prefix,
         "--module.prefix", prefix, "--module.schedule", "static", "--platform.name", TARGETS[target][0],
         "--optimization.goal", goal])

    folders = [os.path.join(folder, "includes-api"), os.path.join(folder, "src"), QEMU, os.path.join(ROOT, "bench")]
    module = [os.path.join(folder, "src", f) for f in sorted(os.listdir(os.path.join(folder, "src"))) if f.endswith(".c")]

    def run_image(suffix, operators):
        """What the image said, its regions by mark, and itself."""
        main, image, profile = (os.path.join(work, prefix + suffix + end) for end in ("_image.c", ".elf", ".prof"))
        rows = " ".join("ROW(%s_run, %d)" % (f, MARK_OPERATOR + i) for i, f in enumerate(operators))
        with open(main, "w") as out:
            out.write('#include "%s_model.h"\n#define P(name) %s_##name\n#define U(name) %s_##name\n%s#include "image.inc"\n'
                      % (prefix, prefix, prefix.upper(), "#define OPERATORS(ROW) %s\n" % rows if rows else ""))
        compile_image(target, GOALS[goal], [main, *module], folders, image,
                      ["-Wl,--wrap=%s_run" % f for f in operators])
        said = key_values(run([os.path.join(QEMU, "run"), target, image, profile],
                              env=dict(os.environ, PLUGIN=options.plugin)))
        return said, prof.analyse(target, image, profile), image

    said, regions, image = run_image("", [])
    result = figures(regions[MARK_RUN])
    result["init"] = regions[MARK_INIT].instructions
    if goal == "latency":
        operators = operator_functions(prefix, folders[0])[:MARK_END - MARK_OPERATOR]
        regions = run_image("_operators", operators)[1]
        result["operators"] = {f[len(prefix) + 1:]: figures(regions[MARK_OPERATOR + i])
                               for i, f in enumerate(operators) if MARK_OPERATOR + i in regions}
    empty = os.path.join(options.work, "empty_%s_%s.elf" % (target, goal))
    flash, ram = (a - b for a, b in zip(section_sizes(image), section_sizes(empty)))
    result.update({
        "code": flash - said["weights"], "weights": said["weights"], "flash": flash,
        "ram": ram + said["stack"] - said["context"], "context": said["context"],
        "crc": "%08x %08x" % (said["crc1"], said["crc2"]),
    })
    return result


def print_table(results):
    print("%-24s %-4s %-8s" % ("model", "cpu", "goal") + "".join("%14s" % column for column in COLUMNS) + "  crc")
    for key, row in results.items():
        print("%-24s %-4s %-8s" % tuple(key.split("/")) + "".join("%14s" % format(row[c], ",") for c in COLUMNS)
              + "  " + row["crc"])


def print_peers(results, peers):
    """Ours as a fraction of what is to be beaten, for the models of which it is known."""
    rows = [(key, peers[key]) for key in results if key in peers]
    if not rows:
        return
    print("\nas a fraction of TFLite Micro with CMSIS-NN (latency: instructions, cycles, flash, ram) and of generated calls"
          "\nof CMSIS-NN (size: code, flash, ram; latency: code):")
    for key, peer in rows:
        print("%-24s %-4s %-8s" % tuple(key.split("/")) + "".join(
            "%14s" % ("%.3f" % (results[key][c] / peer[c]) if c in peer else "-") for c in COLUMNS))
    print()


def print_operators(results, peers):
    """Each operator of the models of which peers' figures are known; returns how many are above them."""
    above = 0
    for key, row in results.items():
        known = peers.get(key, {}).get("operators")
        if not known or "operators" not in row:
            continue
        print("%-44s%14s%14s%8s%14s%14s%8s" % (key, "instructions", "CMSIS-NN", "ratio", "cycles", "CMSIS-NN", "ratio"))
        for name, ours in row["operators"].items():
            peer = known.get(operator_number(name))
            cells, mark = "", ""
            for column in ("instructions", "cycles"):
                cells += "%14s%14s%8s" % (format(ours[column], ","), format(peer[column], ",") if peer else "-",
                                          "%.3f" % (ours[column] / peer[column]) if peer else "-")
                if peer and ours[column] > peer[column]:
                    mark = "  ABOVE"
            above += mark != ""
            print("    %-40s%s%s" % (name, cells, mark))
        print()
    return above


def compare(results, baseline):
    """Prints what changed; returns how many figures grew."""
    grown = 0
    for key, row in results.items():
        before = baseline.get(key)
        if before is None:
            print("new: %s" % key)
            continue
        if before["crc"] != row["crc"]:
            print("CHANGED %s: the outputs' crc was %s, is %s" % (key, before["crc"], row["crc"]))
            grown += 1
        for column in COLUMNS:
            was, now = before[column], row[column]
            if was == now:
                continue
            grew = now > was * GROWTH
            grown += grew
            print("%s %s %s: %s -> %s (%+.2f%%)" % ("GREW   " if grew else "changed", key, column, format(was, ","),
                                                    format(now, ","), 100.0 * (now - was) / max(was, 1)))
    return grown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="the helia-aot executable")
    parser.add_argument("--plugin", required=True, help="insnprof.so")
    parser.add_argument("--work", required=True, help="where everything is made")
    parser.add_argument("--models", default=os.path.join(ROOT, "models"), help="folder of .tflite files")
    parser.add_argument("--match", default="", help="only models whose name holds this text")
    parser.add_argument("--baseline", default=os.path.join(ROOT, "bench/baseline.json"))
    parser.add_argument("--update", action="store_true", help="write the baseline instead of comparing")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)

    os.makedirs(options.work, exist_ok=True)
    for target in TARGETS:
        for goal, level in GOALS.items():
            compile_image(target, level, [os.path.join(ROOT, "bench/empty.c")], [QEMU],
                          os.path.join(options.work, "empty_%s_%s.elf" % (target, goal)))
    models = sorted(os.path.join(options.models, f) for f in os.listdir(options.models)
                    if f.endswith(".tflite") and options.match in f)
    jobs = [(model, target, goal) for model in models for target in TARGETS for goal in GOALS]
    results, failures = {}, 0
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        futures = [(job, pool.submit(measure, options, *job)) for job in jobs]
    for (model, target, goal), future in futures:
        key = "%s/%s/%s" % (os.path.splitext(os.path.basename(model))[0], target, goal)
        if future.exception():
            failures += 1
            print("FAIL %s: %s" % (key, future.exception()))
        else:
            results[key] = future.result()
    print_table(results)
    with open(os.path.join(options.work, "results.json"), "w") as out:
        json.dump(results, out, indent=1)
    with open(os.path.join(ROOT, "bench/peers.json")) as stored:
        peers = json.load(stored)
    print_peers(results, peers)
    above = print_operators(results, peers)
    baseline = {}
    if os.path.exists(options.baseline):
        with open(options.baseline) as stored:
            baseline = json.load(stored)
    if options.update:
        baseline.update(results)
        with open(options.baseline, "w") as out:
            json.dump(baseline, out, indent=1, sort_keys=True)
            out.write("\n")
        return failures > 0
    grown = compare(results, baseline)
    print("%d measured, %d grew against the baseline, %d operators above CMSIS-NN's, %d failed"
          % (len(results), grown, above, failures))
    return failures > 0 or grown > 0 or above > 0


if __name__ == "__main__":
    sys.exit(main())
