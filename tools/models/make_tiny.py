#!/usr/bin/env python3
"""Makes the untrained networks of models/: the layer shapes of MLPerf Tiny's four tasks, seeded random weights.

Each layer's weights and bias are set from its own calibration values, so that activations stay alive through the
depth: what leaves a layer has a mean and a spread that differ from channel to channel. Writes models/<name>.tflite,
models/golden/<name>.npz (answers of TensorFlow Lite Micro) and models/index.csv, which lists digits.tflite too.
README.md beside this file says how to run it.
"""
import csv
import pathlib
import zlib

import numpy as np

from network import Network
from quantize import activation_scales, to_float, to_int8
from runtimes import Litert, Tflm, lcg_bytes, save_npz, versions

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
SEEDS = (12345, 54321)
ONCE, TWICE = (1, 1), (2, 2)


class Builder:
    """Adds layers with random weights whose outputs are in a sensible range on the calibration inputs."""

    def __init__(self, name, title, input_name, shape, scale, zero):
        self.net = Network(title, input_name, shape)
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))
        self.scale, self.zero = scale, zero
        self.values = [calibration_inputs(shape, scale, zero, self.rng)]

    def plain(self, op, inputs, **attrs):
        t = self.net.add(op, inputs, **attrs)
        node = self.net.nodes[-1]
        self.values.append(Network.forward_node(node, self.values))
        return t

    def weighted(self, op, t, shape, activation=None, dead=0, **attrs):
        """A layer with weights; `dead` of its channels have vanishing weights: their output is constant, as in pruned
        networks, where the bias in units of the tiny weight scale comes near 2^30."""
        channels = shape[3] if op == "DEPTHWISE_CONV_2D" else shape[0]
        axis = 3 if op == "DEPTHWISE_CONV_2D" else 0
        per_channel = [channels if i == axis else 1 for i in range(len(shape))]
        w = self.rng.standard_normal(shape) * self.rng.lognormal(0, 0.5, per_channel)
        self.net.add(op, t, w, np.zeros(channels), activation=activation, **attrs)
        node = self.net.nodes[-1]
        node.attrs["activation"] = None
        raw = Network.forward_node(node, self.values).reshape(-1, channels)
        node.attrs["activation"] = activation
        if op == "FULLY_CONNECTED":  # one weight scale in all: its channels keep their proportions
            gain = np.full(channels, 1.0 / raw.std())
        else:
            gain = self.rng.uniform(0.5, 1.5, channels) / (raw.std(0) + 1e-6)
        node.weight *= gain.reshape(per_channel)
        node.bias = self.rng.normal(0.3, 0.5, channels) - raw.mean(0) * gain
        for channel in self.rng.permutation(channels)[:dead]:
            node.weight[np.s_[..., channel] if axis else channel] *= 1e-8
            node.bias[channel] = self.rng.normal(0.0, 0.7)
        self.values.append(Network.forward_node(node, self.values))
        return node.output

    def conv(self, t, out, kernel=ONCE, stride=ONCE, activation="RELU", same=True, dead=0):
        shape = (out,) + kernel + (self.net.shapes[t][2],)
        return self.weighted("CONV_2D", t, shape, activation, dead, stride=stride, same=same)

    def depthwise(self, t, kernel=(3, 3), stride=ONCE, activation="RELU", dead=0):
        shape = (1,) + kernel + (self.net.shapes[t][2],)
        return self.weighted("DEPTHWISE_CONV_2D", t, shape, activation, dead, stride=stride, same=True)

    def dense(self, t, out, activation=None):
        return self.weighted("FULLY_CONNECTED", t, (out, self.net.shapes[t][-1]), activation)

    def classify(self, t, classes):
        """Average over the image, a dense layer, softmax."""
        size = self.net.shapes[t][:2]
        t = self.plain("AVERAGE_POOL_2D", t, kernel=size, stride=size, same=False)
        t = self.plain("RESHAPE", t, shape=(self.net.shapes[t][2],))
        t = self.dense(t, classes)
        return self.plain("SOFTMAX", t)

    def model(self, **options):
        return to_int8(self.net, self.values[0], **options)


def calibration_inputs(shape, scale, zero, rng):
    """Noise as the tests feed it, and smooth images of varied contrast: real values of int8 inputs."""
    count = int(np.prod(shape))
    noise = [lcg_bytes(count, seed).reshape(shape).astype(np.float64) for seed in SEEDS + tuple(range(1, 7))]
    smooth = []
    for _ in range(8):
        axes = np.meshgrid(*[np.linspace(0, 1, n) for n in shape], indexing="ij")
        wave = np.sin(sum(rng.uniform(-9, 9) * a for a in axes) + rng.uniform(0, 6))
        smooth.append(np.rint(np.clip(wave * rng.uniform(40, 127) + rng.uniform(-60, 60), -128, 127)))
    return (np.stack(noise + smooth) - zero) * np.float64(scale)


def kws_dscnn():
    b = Builder("kws_dscnn", "keyword spotting, DS-CNN", "features", (49, 10, 1), 0.55, 70)
    t = b.conv(0, 64, (10, 4), TWICE)
    for _ in range(4):
        t = b.conv(b.depthwise(t), 64)
    b.classify(t, 12)
    return b


def vww_mobilenet():
    b = Builder("vww_mobilenet", "visual wake words, MobileNet v1 x 0.25", "image", (96, 96, 3), 1 / 255, -128)
    t = b.conv(0, 8, (3, 3), TWICE)
    for out, stride in ((16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (128, 1), (128, 1), (128, 1),
                        (128, 1), (256, 2), (256, 1)):
        t = b.depthwise(t, stride=(stride, stride))
        t = b.conv(t, out, dead=out // 4 if out >= 128 else 0)
    b.classify(t, 2)
    return b


def ic_resnet8():
    b = Builder("ic_resnet8", "image classification, ResNet-8", "image", (32, 32, 3), 1.0, -128)
    t = b.conv(0, 16, (3, 3))
    for out, stride in ((16, ONCE), (32, TWICE), (64, TWICE)):
        y = b.conv(t, out, (3, 3), stride)
        y = b.conv(y, out, (3, 3), activation=None)
        if stride != ONCE:
            t = b.conv(t, out, ONCE, stride, activation=None)
        t = b.plain("ADD", [t, y], activation="RELU")
    b.classify(t, 10)
    return b


def ad_autoencoder():
    b = Builder("ad_autoencoder", "anomaly detection, autoencoder", "spectrum", (640,), 0.37, 85)
    t = 0
    for out in (128, 128, 128, 128, 8, 128, 128, 128, 128):
        t = b.dense(t, out, "RELU")
    b.dense(t, 640)
    return b


def branches():
    """Not of MLPerf Tiny: branches of different depth, a gate on the channels, explicit padding, float ends."""
    b = Builder("branches", "branches, gate and float ends", "image", (20, 20, 3), 1 / 127, 0)
    t = b.plain("PAD", 0, pads=[(1, 1), (0, 2)])
    t = b.conv(t, 12, (3, 3), TWICE, "RELU6", same=False)
    wide = b.depthwise(t, (5, 5), activation="RELU6")
    small = b.conv(b.conv(t, 6, activation="RELU"), 8, (1, 3), activation=None)
    t = b.plain("CONCATENATION", [t, wide, small])
    gate = b.plain("MEAN", t, keep=True)
    gate = b.conv(b.conv(gate, 8), 32, activation=None)
    gate = b.plain("LOGISTIC", gate)
    t = b.plain("MUL", [t, gate])
    t = b.plain("MAX_POOL_2D", t, kernel=(3, 3), stride=TWICE, same=True)
    t = b.conv(t, 16)
    t = b.plain("MEAN", t, keep=False)
    b.dense(t, 5)
    return b


def golden(name, model, inputs):
    """Takes the answers of both runtimes, writes the golden file, returns (largest difference, answers)."""
    micro, full = Tflm(model), Litert(model)
    arrays, worst, answers = {}, 0.0, []
    for step, x in enumerate(inputs):
        y = micro.run(x)
        worst = max(worst, float(np.abs(y.astype(np.float64) - full.run(x)).max()))
        arrays["in0_%d" % step], arrays["tflm0_%d" % step] = x, y
        answers.append(y)
    assert any((y != answers[0]).any() for y in answers[1:]), name + ": inputs make no difference"
    save_npz(MODELS / "golden" / (name + ".npz"), arrays)
    return worst, answers


def liveliness(b):
    """The fewest distinct int8 values that any tensor between the ends takes on the calibration inputs."""
    scales = activation_scales(b.net, b.values)
    return min(len(np.unique(np.rint(v / np.float64(s)))) for v, (s, _) in zip(b.values[1:-1], scales[1:-1]))


def row(name, dtype, variant, steps, worst, tolerance, note):
    return {
        "id": name, "op": "MODEL", "dtype": dtype, "variant": variant, "steps": steps, "ref": "tflm",
        "agree": "yes" if worst == 0 else "no", "max_diff_refs": "%g" % worst, "tol": tolerance,
        "litert_kernels": "ref", "opt_diff": "", "default_diff": "",
        "model": name + ".tflite", "golden": "golden/%s.npz" % name, "note": note,
    }


def main():
    print(versions())
    rows = []
    kinds = [(kws_dscnn, "int8"), (kws_dscnn, "float32"), (vww_mobilenet, "int8"), (ic_resnet8, "int8"),
             (ad_autoencoder, "int8"), (branches, "mixed")]
    for make, dtype in kinds:
        b, name = make(), make.__name__
        shape = (1,) + b.net.shapes[0]
        inputs = [lcg_bytes(int(np.prod(shape)), seed).reshape(shape) for seed in SEEDS]
        if dtype == "float32":
            name += "_float"
            model = to_float(b.net)
        else:
            model = b.model(float_ends=dtype == "mixed")
        if dtype != "int8":
            inputs = [x.astype(np.float32) / 32 for x in inputs]
        worst, answers = golden(name, model, inputs)
        (MODELS / (name + ".tflite")).write_bytes(model)
        print("%-16s %7d bytes, %2d operators, at least %d values a tensor, runtimes differ by %g; first outputs %s" % (
            name, len(model), len(b.net.nodes), liveliness(b), worst, answers[0].ravel()[:6]))
        rows.append(row(name, dtype, b.net.name, len(inputs), worst, "1e-6+1e-5r" if dtype == "float32" else "0",
                        "random weights, seed crc32(%s)" % make.__name__))

    data = np.load(MODELS / "golden" / "digits.npz")
    steps = len(data.files) // 2
    full = Litert((MODELS / "digits.tflite").read_bytes())
    worst = max(np.abs(data["tflm0_%d" % i].astype(int) - full.run(data["in0_%d" % i])).max() for i in range(steps))
    rows.append(row("digits", "int8", "handwritten digits, trained", steps, worst, "0", "test images of scikit-learn"))

    with open(MODELS / "index.csv", "w", newline="") as f:
        w = csv.DictWriter(f, rows[0].keys(), lineterminator="\n")
        w.writeheader()
        w.writerows(rows)


if __name__ == "__main__":
    main()
