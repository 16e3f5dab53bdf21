"""Post-training quantisation of a Network to int8, after LiteRT's quantisation specification; also its float32 form.

Activations: int8, one scale and zero point, from the smallest and largest value seen in calibration (0 included).
Weights: int8 in -127..127, zero point 0, one scale an output channel (convolutions) or one in all (fully connected).
Biases: int32 with scale input x weight, zero point 0. SOFTMAX and LOGISTIC have the fixed output scale 1/256, zero
point -128; pooling, reshape, padding and concatenation keep their input's.
"""
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from tflite import Writer

KEEPS_SCALE = {"MAX_POOL_2D", "AVERAGE_POOL_2D", "RESHAPE", "PAD", "CONCATENATION"}
FIXED_SCALE = {"SOFTMAX", "LOGISTIC"}
BIAS_LIMIT = 2.0 ** 30  # a weight scale is raised until the bias fits: so biases of all but dead channels stay small


def range_to_scale(low, high):
    low, high = min(low, 0.0), max(high, 0.0)
    scale = np.float32((high - low) / 255.0)
    zero = int(np.clip(np.floor(-128 - low / np.float64(scale) + 0.5), -128, 127))
    return scale, zero


def quantize(x, scale, zero):
    x = np.asarray(x, np.float64) / np.float64(scale)
    return np.clip(np.where(x < 0, np.ceil(x - 0.5), np.floor(x + 0.5)) + zero, -128, 127).astype(np.int8)


def activation_scales(net, values):
    """(scale, zero point) of every tensor, from the tensors' values on the calibration inputs."""
    scales = [range_to_scale(v.min(), v.max()) for v in values]
    for node in net.nodes:
        if node.op == "CONCATENATION":  # one scale for all of them: the widest
            wide = range_to_scale(min(values[i].min() for i in node.inputs), max(values[i].max() for i in node.inputs))
            for i in node.inputs:
                scales[i] = wide
    for node in net.nodes:
        if node.op in FIXED_SCALE:
            scales[node.output] = (np.float32(1 / 256), -128)
        elif node.op in KEEPS_SCALE:
            scales[node.output] = scales[node.inputs[0]]
    return scales


def quantize_weights(node, input_scale):
    """(int8 weights, their scales, int32 bias, its scales, axis)"""
    w, b = node.weight, node.bias
    axis = 3 if node.op == "DEPTHWISE_CONV_2D" else 0
    others = tuple(i for i in range(w.ndim) if i != axis)
    peak = np.abs(w).max(others)
    if node.op == "FULLY_CONNECTED":
        peak = peak.max(keepdims=True)
        b_peak = np.abs(b).max(keepdims=True)
    else:
        b_peak = np.abs(b)
    scales = np.maximum(peak / 127.0, b_peak / (np.float64(input_scale) * BIAS_LIMIT)).astype(np.float32)
    assert (scales > 0).all()
    shape = [1] * w.ndim
    shape[axis] = -1
    wq = np.clip(np.rint(w / scales.astype(np.float64).reshape(shape)), -127, 127).astype(np.int8)
    bias_scales = (np.float64(input_scale) * scales.astype(np.float64)).astype(np.float32)
    bq = np.rint(b / bias_scales.astype(np.float64)).astype(np.int64)
    assert np.abs(bq).max() < 2 ** 31
    return wq, scales, bq.astype(np.int32), bias_scales, axis


def _options(node):
    a, o = node.attrs, {}
    if "stride" in a:
        o.update(strideH=a["stride"][0], strideW=a["stride"][1])
        o["padding"] = schema.Padding.SAME if a["same"] else schema.Padding.VALID
    if "kernel" in a:
        o.update(filterHeight=a["kernel"][0], filterWidth=a["kernel"][1])
    if node.op == "DEPTHWISE_CONV_2D":
        o["depthMultiplier"] = 1
    if node.op == "SOFTMAX":
        o["beta"] = 1.0
    if node.op == "MEAN":
        o["keepDims"] = a["keep"]
    if node.op == "CONCATENATION":
        o["axis"] = 3
    if node.op == "RESHAPE":
        o["newShape"] = [1] + list(a["shape"])
    if node.op in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "ADD", "MUL"):
        o["fusedActivationFunction"] = getattr(schema.ActivationFunctionType, a.get("activation") or "NONE")
    return o


def _operand(node):
    """The constant int32 operand of operators that have one: (suffix, values)"""
    if node.op == "RESHAPE":
        return "shape", np.array([1] + list(node.attrs["shape"]), np.int32)
    if node.op == "MEAN":
        return "axes", np.array([1, 2], np.int32)
    if node.op == "PAD":
        return "paddings", np.array([(0, 0)] + node.attrs["pads"] + [(0, 0)], np.int32)
    return None


def to_int8(net, calibration, signature=None, float_ends=False):
    """Bytes of the int8 model. float_ends: the ends are float32, with QUANTIZE and DEQUANTIZE inside."""
    scales = activation_scales(net, net.forward(calibration))
    w = Writer()
    ids = []
    if float_ends:
        first = w.tensor(net.names[0], (1,) + net.shapes[0], np.float32)
    for name, shape, (scale, zero) in zip(net.names, net.shapes, scales):
        name = name + "_int8" if float_ends and not ids else name
        ids.append(w.tensor(name, (1,) + shape, np.int8, None, scale, zero))
    if float_ends:
        w.operator("QUANTIZE", [first], [ids[0]], False)
    for node in net.nodes:
        inputs = [ids[i] for i in node.inputs]
        if node.weight is not None:
            wq, ws, bq, bs, axis = quantize_weights(node, scales[node.inputs[0]][0])
            inputs.append(w.tensor(node.name + "/weights", wq.shape, np.int8, wq, ws, 0, axis))
            inputs.append(w.tensor(node.name + "/bias", bq.shape, np.int32, bq, bs))
        if _operand(node):
            suffix, values = _operand(node)
            inputs.append(w.tensor(node.name + "/" + suffix, values.shape, np.int32, values))
        w.operator(node.op, inputs, [ids[node.output]], True, **_options(node))
    ends = [ids[0]], [ids[-1]]
    if float_ends:
        last = w.tensor(net.names[-1] + "_float", (1,) + net.shapes[-1], np.float32)
        w.operator("DEQUANTIZE", [ids[-1]], [last], True)
        ends = [first], [last]
    return w.finish(*ends, net.name, signature)


def to_float(net, signature=None):
    w = Writer()
    ids = [w.tensor(name, (1,) + shape, np.float32) for name, shape in zip(net.names, net.shapes)]
    for node in net.nodes:
        inputs = [ids[i] for i in node.inputs]
        if node.weight is not None:
            inputs.append(w.tensor(node.name + "/weights", node.weight.shape, np.float32, node.weight))
            inputs.append(w.tensor(node.name + "/bias", node.bias.shape, np.float32, node.bias))
        if _operand(node):
            suffix, values = _operand(node)
            inputs.append(w.tensor(node.name + "/" + suffix, values.shape, np.int32, values))
        w.operator(node.op, inputs, [ids[node.output]], False, **_options(node))
    return w.finish([ids[0]], [ids[-1]], net.name, signature)
