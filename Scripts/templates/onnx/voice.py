"""Writes voice.onnx, an example model that plays a tone for each byte of the text. Needs the package onnx."""

import onnx
from onnx import TensorProto, helper

RATE = 16_000
FRAMES = 1_600  # frames per tone: a tenth of a second


def constant(name, kind, dims, values):
    return helper.make_tensor(name, kind, dims, values)


graph = helper.make_graph(
    [
        # [1, N] bytes -> [N, 1] frequencies: 100 Hz, plus 4 Hz times the value of the byte.
        helper.make_node("Cast", ["input_ids"], ["bytes"], to=TensorProto.FLOAT),
        helper.make_node("Reshape", ["bytes", "column"], ["steps"]),
        helper.make_node("Mul", ["steps", "hertz_per_step"], ["above"]),
        helper.make_node("Add", ["above", "lowest_hertz"], ["hertz"]),
        # [FRAMES] frames -> [1, FRAMES] radians at 1 Hz.
        helper.make_node("Range", ["zero", "frames", "one"], ["frame"]),
        helper.make_node("Mul", ["frame", "radians"], ["angle"]),
        helper.make_node("Reshape", ["angle", "row"], ["time"]),
        helper.make_node("MatMul", ["hertz", "time"], ["phase"]),
        helper.make_node("Sin", ["phase"], ["wave"]),
        helper.make_node("Mul", ["wave", "loudness"], ["quiet"]),
        helper.make_node("Reshape", ["quiet", "flat"], ["waveform"]),
    ],
    "voice",
    [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "N"])],
    [helper.make_tensor_value_info("waveform", TensorProto.FLOAT, ["T"])],
    [
        constant("column", TensorProto.INT64, [2], [-1, 1]),
        constant("row", TensorProto.INT64, [2], [1, -1]),
        constant("flat", TensorProto.INT64, [1], [-1]),
        constant("hertz_per_step", TensorProto.FLOAT, [], [4.0]),
        constant("lowest_hertz", TensorProto.FLOAT, [], [100.0]),
        constant("zero", TensorProto.FLOAT, [], [0.0]),
        constant("one", TensorProto.FLOAT, [], [1.0]),
        constant("frames", TensorProto.FLOAT, [], [float(FRAMES)]),
        constant("radians", TensorProto.FLOAT, [], [2 * 3.14159265 / RATE]),
        constant("loudness", TensorProto.FLOAT, [], [0.2]),
    ],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
helper.set_model_props(model, {"sample_rate": str(RATE)})
onnx.save(model, "voice.onnx")
