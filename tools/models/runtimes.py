"""The two runtimes whose answers count: TensorFlow Lite Micro's reference kernels and LiteRT's reference kernels."""
from importlib.metadata import version

import numpy as np
from ai_edge_litert import interpreter as litert
from tflite_micro.python.tflite_micro import runtime as tflm

ARENA = 4 << 20


def versions():
    return ", ".join("%s %s" % (p, version(p)) for p in ("numpy", "ai-edge-litert", "tflite-micro"))


class Tflm:
    def __init__(self, model):
        self.interpreter = tflm.Interpreter.from_bytes(model, arena_size=ARENA)

    def run(self, x):
        self.interpreter.set_input(x, 0)
        self.interpreter.invoke()
        return np.array(self.interpreter.get_output(0))


class Litert:
    def __init__(self, model):
        self.interpreter = litert.Interpreter(
            model_content=model, experimental_op_resolver_type=litert.OpResolverType.BUILTIN_REF)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.output = self.interpreter.get_output_details()[0]

    def run(self, x):
        self.interpreter.set_tensor(self.input["index"], x)
        self.interpreter.invoke()
        return np.array(self.interpreter.get_tensor(self.output["index"]))


def lcg_bytes(count, seed):
    """int8 values of the linear congruential generator that the benchmarks use for inputs."""
    x, out = seed & 0xFFFFFFFF, bytearray(count)
    for i in range(count):
        x = (x * 1664525 + 1013904223) & 0xFFFFFFFF
        out[i] = x >> 24
    return np.frombuffer(bytes(out), np.int8)


def save_npz(path, arrays):
    """An npz whose bytes depend on the arrays alone: fixed times, stored without compression."""
    import io
    import zipfile
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as z:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), version=(1, 0))
            z.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), member.getvalue())
