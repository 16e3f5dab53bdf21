"""Writes a graph as a LiteRT flatbuffer: tensors, operators, constants aligned to 16 bytes, an optional signature."""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

TYPES = {
    np.dtype(np.float32): schema.TensorType.FLOAT32,
    np.dtype(np.int8): schema.TensorType.INT8,
    np.dtype(np.int32): schema.TensorType.INT32,
}
OPTIONS = {
    "ADD": "AddOptions",
    "AVERAGE_POOL_2D": "Pool2DOptions",
    "CONCATENATION": "ConcatenationOptions",
    "CONV_2D": "Conv2DOptions",
    "DEPTHWISE_CONV_2D": "DepthwiseConv2DOptions",
    "DEQUANTIZE": "DequantizeOptions",
    "FULLY_CONNECTED": "FullyConnectedOptions",
    "MAX_POOL_2D": "Pool2DOptions",
    "MEAN": "ReducerOptions",
    "MUL": "MulOptions",
    "PAD": "PadOptions",
    "QUANTIZE": "QuantizeOptions",
    "RESHAPE": "ReshapeOptions",
    "SOFTMAX": "SoftmaxOptions",
}
# Operator versions as converters write them: the first that knows the data type.
INT8_VERSIONS = {"ADD": 2, "AVERAGE_POOL_2D": 2, "CONCATENATION": 2, "CONV_2D": 3, "DEPTHWISE_CONV_2D": 3,
                 "DEQUANTIZE": 2, "FULLY_CONNECTED": 4, "LOGISTIC": 2, "MAX_POOL_2D": 2, "MEAN": 2, "MUL": 2,
                 "PAD": 2, "SOFTMAX": 2}


class _Builder(flatbuffers.Builder):
    """Constants are vectors of bytes: they start at a multiple of 16, as the schema demands."""

    def StartVector(self, elem_size, count, alignment):
        return super().StartVector(elem_size, count, 16 if elem_size == 1 else alignment)


class Writer:
    def __init__(self):
        self.tensors = []
        self.buffers = [schema.BufferT()]  # buffer 0 is the empty one
        self.codes = []
        self.operators = []

    def tensor(self, name, shape, dtype, data=None, scale=None, zero_point=0, axis=0):
        """Adds a tensor; scale may be a list (one a channel of the given axis). Returns its index."""
        t = schema.TensorT()
        t.name, t.shape, t.type, t.hasRank = name, [int(n) for n in shape], TYPES[np.dtype(dtype)], True
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data, dtype).tobytes(), np.uint8)
            self.buffers.append(buffer)
            t.buffer = len(self.buffers) - 1
        if scale is not None:
            scales = np.atleast_1d(np.asarray(scale, np.float32))
            q = schema.QuantizationParametersT()
            q.scale = scales
            q.zeroPoint = np.full(len(scales), zero_point, np.int64)
            q.quantizedDimension = axis
            t.quantization = q
        self.tensors.append(t)
        return len(self.tensors) - 1

    def operator(self, op, inputs, outputs, quantized, **options):
        code = getattr(schema.BuiltinOperator, op)
        version = INT8_VERSIONS.get(op, 1) if quantized else 1
        if (code, version) not in self.codes:
            self.codes.append((code, version))
        o = schema.OperatorT()
        o.opcodeIndex = self.codes.index((code, version))
        o.inputs, o.outputs = list(inputs), list(outputs)
        if op in OPTIONS:
            o.builtinOptionsType = getattr(schema.BuiltinOptions, OPTIONS[op])
            o.builtinOptions = getattr(schema, OPTIONS[op] + "T")()
            for key, value in options.items():
                assert hasattr(o.builtinOptions, key), key
                setattr(o.builtinOptions, key, value)
        self.operators.append(o)

    def finish(self, inputs, outputs, description, signature=None):
        """signature: (names of the inputs, names of the outputs). Returns the bytes of the file."""
        graph = schema.SubGraphT()
        graph.name, graph.tensors, graph.operators = "main", self.tensors, self.operators
        graph.inputs, graph.outputs = list(inputs), list(outputs)
        model = schema.ModelT()
        model.version, model.description = 3, description
        model.subgraphs, model.buffers = [graph], self.buffers
        model.operatorCodes = []
        for code, version in self.codes:
            c = schema.OperatorCodeT()
            c.builtinCode, c.deprecatedBuiltinCode, c.version = code, min(code, 127), version
            model.operatorCodes.append(c)
        if signature:
            s = schema.SignatureDefT()
            s.signatureKey = "serving_default"
            s.inputs = [_tensor_map(n, i) for n, i in zip(signature[0], inputs)]
            s.outputs = [_tensor_map(n, i) for n, i in zip(signature[1], outputs)]
            model.signatureDefs = [s]
        builder = _Builder(1 << 20)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def _tensor_map(name, index):
    m = schema.TensorMapT()
    m.name, m.tensorIndex = name, index
    return m
