#!/usr/bin/env python3
"""Trains a small network on the handwritten digits of scikit-learn, quantises it to int8 and checks it.

The images have 8 x 8 pixels of 17 grey levels (0..16); the network sees grey / 16. Four fifths of the 1797 images train
it, the rest test it. Writes models/digits.tflite (signature: `image` -> `scores`), models/golden/digits.npz (the inputs
of the 20 sample images, the answers of TensorFlow Lite Micro) and examples/digits/digits_samples.h. README.md beside
this file says how to run it; it needs about a minute.
"""
import pathlib

import numpy as np
from sklearn.datasets import load_digits

from network import Network, patches, softmax
from quantize import quantize, range_to_scale, to_int8
from runtimes import Litert, Tflm, save_npz, versions

SEED = 8
EPOCHS = 40
BATCH = 32
ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    """(training images, labels, test images, labels), grey levels 0..16"""
    digits = load_digits()
    order = np.random.default_rng(SEED).permutation(len(digits.target))
    images, labels = digits.images[order][..., None], digits.target[order]
    split = len(labels) * 4 // 5
    return images[:split], labels[:split], images[split:], labels[split:]


def build(rng):
    def weights(shape, fan_in):
        return rng.standard_normal(shape) * np.sqrt(2.0 / fan_in)

    net = Network("handwritten digits, 8 x 8, int8", "image", (8, 8, 1))
    relu, once, twice = "RELU", (1, 1), (2, 2)
    t = net.add("CONV_2D", 0, weights((16, 3, 3, 1), 9), np.zeros(16), stride=once, same=True, activation=relu)
    t = net.add("DEPTHWISE_CONV_2D", t, weights((1, 3, 3, 16), 9), np.zeros(16), stride=once, same=True,
                activation=relu)
    t = net.add("CONV_2D", t, weights((24, 1, 1, 16), 16), np.zeros(24), stride=once, same=True, activation=relu)
    t = net.add("MAX_POOL_2D", t, kernel=twice, stride=twice, same=False)
    t = net.add("CONV_2D", t, weights((32, 3, 3, 24), 216), np.zeros(32), stride=once, same=True, activation=relu)
    t = net.add("MAX_POOL_2D", t, kernel=twice, stride=twice, same=False)
    t = net.add("RESHAPE", t, shape=(128,))
    t = net.add("FULLY_CONNECTED", t, weights((10, 128), 128), np.zeros(10))
    net.add("SOFTMAX", t)
    net.names[-1] = "scores"
    return net


def spread_patches(grad, kernel, same, shape):
    """The gradient of patches() of stride 1: every window's part is added back to where it came from."""
    kh, kw = kernel
    top, left = ((kh - 1) // 2, (kw - 1) // 2) if same else (0, 0)
    oh, ow = grad.shape[1:3]
    padded = np.zeros((shape[0], shape[1] + kh - 1, shape[2] + kw - 1, shape[3]))
    for i in range(kh):
        for j in range(kw):
            padded[:, i:i + oh, j:j + ow] += grad[:, :, :, i, j]
    return padded[:, top:top + shape[1], left:left + shape[2]]


def backward(node, x, y, grad):
    """(gradient of the input, of the weights, of the bias) from that of the output."""
    if node.attrs.get("activation") == "RELU":
        grad = grad * (y > 0)
    if node.op == "FULLY_CONNECTED":
        return grad @ node.weight, grad.T @ x, grad.sum(0)
    if node.op == "RESHAPE":
        return grad.reshape(x.shape), None, None
    if node.op == "MAX_POOL_2D":  # windows do not overlap here; equal maxima share the gradient
        p = patches(x, (2, 2), (2, 2), False)
        hit = p == y[:, :, :, None, None]
        share = hit * (grad / hit.sum((3, 4)))[:, :, :, None, None]
        return share.transpose(0, 1, 3, 2, 4, 5).reshape(x.shape), None, None
    kernel, same = node.weight.shape[1:3], node.attrs["same"]
    p = patches(x, kernel, (1, 1), same)
    if node.op == "CONV_2D":
        dw = np.tensordot(grad, p, ([0, 1, 2], [0, 1, 2]))
        dp = np.tensordot(grad, node.weight, ([3], [0]))
    else:
        dw = np.einsum("bhwc,bhwijc->ijc", grad, p)[None]
        dp = grad[:, :, :, None, None] * node.weight[0]
    return spread_patches(dp, kernel, same, x.shape), dw, grad.sum((0, 1, 2))


def train(net, images, labels, rng):
    """Adam on the cross entropy, the rate falling along a half cosine."""
    layers = [n for n in net.nodes if n.weight is not None]
    moments = {(id(n), k): [0.0, 0.0] for n in layers for k in ("weight", "bias")}
    steps = EPOCHS * (len(labels) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(labels))
        for start in range(0, len(labels) - BATCH + 1, BATCH):
            pick = order[start:start + BATCH]
            values = net.forward(images[pick])
            grad = (values[-1] - np.eye(10)[labels[pick]]) / BATCH  # of softmax and cross entropy together
            step += 1
            rate = 2e-3 * (1 + np.cos(np.pi * step / steps))
            for node in reversed(net.nodes[:-1]):
                grad, dw, db = backward(node, values[node.inputs[0]], values[node.output], grad)
                for key, d in (("weight", dw), ("bias", db)):
                    if d is None:
                        continue
                    if key == "weight":
                        d = d + 1e-4 * node.weight
                    m = moments[id(node), key]
                    m[0], m[1] = 0.9 * m[0] + 0.1 * d, 0.999 * m[1] + 0.001 * d * d
                    update = m[0] / (1 - 0.9 ** step) / (np.sqrt(m[1] / (1 - 0.999 ** step)) + 1e-8)
                    setattr(node, key, getattr(node, key) - rate * update)


def accuracy(scores, labels):
    return np.mean(np.argmax(scores, -1) == labels)


def write_header(path, images, labels, scores):
    """The sample images for the example program."""
    rows = []
    for image, label, score in zip(images, labels, scores):
        pixels = [", ".join("%2d" % v for v in row) for row in image[:, :, 0].astype(int)]
        rows.append("    {%d,\n     {%s},\n     {%s}}" % (label, ",\n      ".join(pixels),
                                                    ", ".join(map(str, score))))
    path.write_text("""\
/* Handwritten digits that the network has not seen in training: the first two of each kind in the test set.
 * Made by tools/models/train_digits.py from the images that scikit-learn carries (UCI "Optical Recognition of
 * Handwritten Digits", E. Alpaydin and C. Kaynak, CC BY 4.0). The scores are those of TensorFlow Lite Micro. */
#ifndef DIGITS_SAMPLES_H
#define DIGITS_SAMPLES_H

#include <stdint.h>

/* A picture a block: */
/* clang-format off */

typedef struct digit_sample {
    int label;
    uint8_t grey[64];   /* 8 rows of 8 pixels, 0 (white) to 16 (black) */
    int8_t scores[10];  /* what the int8 network answers */
} digit_sample_t;

static const digit_sample_t digit_samples[%d] = {
%s
};

#endif
""" % (len(rows), ",\n".join(rows)))


def main():
    train_images, train_labels, test_images, test_labels = load()
    rng = np.random.default_rng(SEED)
    net = build(rng)
    train(net, train_images / 16, train_labels, rng)
    exact = accuracy(net.forward(test_images / 16)[-1], test_labels)

    model = to_int8(net, train_images / 16, (["image"], ["scores"]))
    scale, zero = range_to_scale(0.0, (train_images / 16).max())
    inputs = quantize(test_images / 16, scale, zero)
    micro, full = Tflm(model), Litert(model)
    answers = np.concatenate([micro.run(x[None]) for x in inputs])
    others = np.concatenate([full.run(x[None]) for x in inputs])
    print("%s" % versions())
    print("%d training images, %d test images, %d bytes" % (len(train_labels), len(test_labels), len(model)))
    int8, other = accuracy(answers, test_labels), accuracy(others, test_labels)
    print("test accuracy: float %.2f %%, int8 in TensorFlow Lite Micro %.2f %%, in LiteRT %.2f %%" % (
        100 * exact, 100 * int8, 100 * other))
    print("largest difference of the two: %d" % np.abs(answers.astype(int) - others).max())
    assert min(exact, int8, other) >= 0.97

    picks = [i for digit in range(10) for i in np.flatnonzero(test_labels == digit)[:2]]
    (ROOT / "models" / "digits.tflite").write_bytes(model)
    golden = {}
    for step, i in enumerate(picks):
        golden["in0_%d" % step] = inputs[i][None]
        golden["tflm0_%d" % step] = answers[i][None]
    save_npz(ROOT / "models" / "golden" / "digits.npz", golden)
    header = ROOT / "examples" / "digits" / "digits_samples.h"
    write_header(header, test_images[picks], test_labels[picks], answers[picks])


if __name__ == "__main__":
    main()
