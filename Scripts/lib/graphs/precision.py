"""Half precision, as the usual converters write it."""

import re

import onnx

FLOAT, HALF = onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16
# Beside the converter's own: what loses most in half precision.
BLOCKED = ["Atan", "Cos", "CumSum", "Exp", "InstanceNormalization", "Pow", "RandomNormalLike", "ReduceMean", "Resize", "STFT",
           "Sin"]
# Kokoro's source: phases grow beyond what a half can be, and of two numbers that a half rounds to 0 a quotient is taken.
SOURCE = re.compile(r"/m_source/|/generator/[^/]*$")
# Their inputs are floats, or their kinds of numbers are fixed.
QUANTIZED = ["DynamicQuantizeLinear", "DynamicQuantizeLSTM", "MatMulInteger", "ConvInteger", "DequantizeLinear", "QuantizeLinear"]


def common(source, target):
    _common(source, target, [])


def common_quantized(source, target):
    _common(source, target, QUANTIZED)


def _common(source, target, blocked):
    """The converter leaves nodes that name floats as their result, which ONNX Runtime then refuses: they get halves, too."""
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
    """What says that the results of a node are floats; None if nothing does."""
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
    """Between two operators that are blocked, the converter makes halves and floats again: the second one gets the floats."""
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
