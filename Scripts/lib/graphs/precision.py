"""Converts to half precision in the same way as common converters."""

import re

import onnx

FLOAT, HALF = onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16
# The operators that lose the most precision, in addition to the converter's own list.
BLOCKED = ["Atan", "Cos", "CumSum", "Exp", "InstanceNormalization", "Pow", "RandomNormalLike", "ReduceMean", "Resize", "STFT",
           "Sin"]
# Kokoro's source module: phases exceed the range of half precision, and two numbers that round to 0 would be divided.
SOURCE = re.compile(r"/m_source/|/generator/[^/]*$")
# Operators whose inputs must be float32, or whose types are fixed.
QUANTIZED = ["DynamicQuantizeLinear", "DynamicQuantizeLSTM", "MatMulInteger", "ConvInteger", "DequantizeLinear", "QuantizeLinear"]


def common(source, target):
    _common(source, target, [])


def common_quantized(source, target):
    _common(source, target, QUANTIZED)


def _common(source, target, blocked):
    """Converts the model. The converter leaves some nodes with float32 as their result type, which ONNX Runtime rejects, so these are
    changed too."""
    from onnxconverter_common import float16

    model = onnx.load(source)
    named = {name for node in model.graph.node if _kind(node) is not None for name in node.output}
    made = float16.convert_float_to_float16(
        model, keep_io_types=True, op_block_list=float16.DEFAULT_OP_BLOCK_LIST + blocked)
    for node in made.graph.node:
        if named.intersection(node.output):
            _kind(node).i = HALF
    onnx.save(made, target)


def _kind(node):
    """Returns the attribute that sets a node's result type to float32, or None."""
    found = [one for one in node.attribute if one.name in ("to", "dtype") and one.i == FLOAT]
    return found[0] if found else None


def transformers(source, target):
    from onnxruntime.transformers import float16

    model = onnx.load(source)
    made = float16.convert_float_to_float16(
        model, keep_io_types=True, op_block_list=float16.DEFAULT_OP_BLOCK_LIST + BLOCKED,
        node_block_list=[node.name for node in model.graph.node if SOURCE.search(node.name)])
    _leave_floats(made.graph)
    onnx.save(made, target)


def _leave_floats(graph):
    """Removes conversions to half precision and back between two blocked operators, so that floats are passed directly."""
    halves = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast" and "_output_cast" in node.name}
    before = {
        node.output[0]: halves[node.input[0]] for node in graph.node
        if node.op_type == "Cast" and node.input[0] in halves and node.attribute[0].i == FLOAT}
    for node in graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = before.get(name, name)
    unread = None
    while unread is None or unread:
        read = {name for node in graph.node for name in node.input} | {value.name for value in graph.output}
        unread = [node for node in graph.node if node.op_type == "Cast" and node.output[0] not in read]
        for node in unread:
            graph.node.remove(node)
