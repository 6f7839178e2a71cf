"""Typical conversions of a float model before publication."""

import onnx
import onnxruntime
from onnx import version_converter


def simplify(source, target):
    import onnxsim

    made, is_same = onnxsim.simplify(onnx.load(source))
    if not is_same:
        raise ValueError("onnxsim reports a different result")
    onnx.save(made, target)


def _optimise(source, target, level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level, options.optimized_model_filepath = level, target
    options.intra_op_num_threads, options.log_severity_level = 2, 3
    onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def basic(source, target):
    _optimise(source, target, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC)


def extended(source, target):
    _optimise(source, target, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED)


def raise_to_21(source, target):
    onnx.save(version_converter.convert_version(onnx.load(source), 21), target)


def raise_to_22(source, target):
    onnx.save(version_converter.convert_version(onnx.load(source), 22), target)
