"""A feed-forward graph of float layers in numpy: what the models are before they are quantised.

Weights have LiteRT's layouts: CONV_2D [out, h, w, in], DEPTHWISE_CONV_2D [1, h, w, out], FULLY_CONNECTED [out, in].
Activations are NHWC with the batch in front; shapes are kept without it.
"""
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Node:
    op: str
    inputs: list
    output: int
    name: str
    attrs: dict = field(default_factory=dict)
    weight: np.ndarray = None
    bias: np.ndarray = None


def padding(size, kernel, stride, same):
    """(output size, zeros before, zeros after) of one axis."""
    if not same:
        return (size - kernel + stride) // stride, 0, 0
    out = -(-size // stride)
    total = max(0, (out - 1) * stride + kernel - size)
    return out, total // 2, total - total // 2


def patches(x, kernel, stride, same, fill=0.0):
    """Windows of x: [batch, oh, ow, kh, kw, channels]."""
    (kh, kw), (sh, sw) = kernel, stride
    oh, top, bottom = padding(x.shape[1], kh, sh, same)
    ow, left, right = padding(x.shape[2], kw, sw, same)
    x = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=fill)
    out = np.empty((x.shape[0], oh, ow, kh, kw, x.shape[3]), x.dtype)
    for i in range(kh):
        for j in range(kw):
            out[:, :, :, i, j] = x[:, i:i + oh * sh:sh, j:j + ow * sw:sw][:, :oh, :ow]
    return out


def activate(x, kind):
    if kind == "RELU":
        return np.maximum(x, 0)
    if kind == "RELU6":
        return np.clip(x, 0, 6)
    return x


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def evaluate(node, x):
    """One node on a list of inputs."""
    a = node.attrs
    if node.op == "CONV_2D":
        p = patches(x[0], node.weight.shape[1:3], a["stride"], a["same"])
        y = np.tensordot(p, node.weight, ([3, 4, 5], [1, 2, 3])) + node.bias
    elif node.op == "DEPTHWISE_CONV_2D":
        p = patches(x[0], node.weight.shape[1:3], a["stride"], a["same"])
        y = np.einsum("bhwijc,ijc->bhwc", p, node.weight[0]) + node.bias
    elif node.op == "FULLY_CONNECTED":
        y = x[0] @ node.weight.T + node.bias
    elif node.op == "MAX_POOL_2D":
        y = patches(x[0], a["kernel"], a["stride"], a["same"], -np.inf).max((3, 4))
    elif node.op == "AVERAGE_POOL_2D":
        assert not a["same"]
        y = patches(x[0], a["kernel"], a["stride"], False).mean((3, 4))
    elif node.op == "ADD":
        y = x[0] + x[1]
    elif node.op == "MUL":
        y = x[0] * x[1]
    elif node.op == "CONCATENATION":
        y = np.concatenate(x, -1)
    elif node.op == "MEAN":
        y = x[0].mean((1, 2), keepdims=a["keep"])
    elif node.op == "PAD":
        y = np.pad(x[0], [(0, 0)] + a["pads"] + [(0, 0)])
    elif node.op == "RESHAPE":
        y = x[0].reshape((len(x[0]),) + tuple(a["shape"]))
    elif node.op == "LOGISTIC":
        y = 1 / (1 + np.exp(-x[0]))
    elif node.op == "SOFTMAX":
        y = softmax(x[0])
    else:
        raise ValueError(node.op)
    return activate(y, a.get("activation"))


class Network:
    """Tensor 0 is the input; every layer adds one tensor and returns its index."""

    def __init__(self, name, input_name, shape):
        self.name, self.nodes = name, []
        self.names, self.shapes = [input_name], [tuple(shape)]

    def add(self, op, inputs, weight=None, bias=None, **attrs):
        inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        name = "%s_%d" % (op.lower(), sum(n.op == op for n in self.nodes))
        node = Node(op, inputs, len(self.names), name, attrs, weight, bias)
        shape = evaluate(node, [np.zeros((1,) + self.shapes[i]) for i in inputs]).shape[1:]
        self.nodes.append(node)
        self.names.append(name)
        self.shapes.append(shape)
        return node.output

    @staticmethod
    def forward_node(node, values):
        return evaluate(node, [values[i] for i in node.inputs])

    def forward(self, x):
        """Every tensor of the network on a batch."""
        values = [np.asarray(x, np.float64)]
        for node in self.nodes:
            values.append(self.forward_node(node, values))
        return values
