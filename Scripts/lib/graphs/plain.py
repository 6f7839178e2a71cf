"""Converts a model to the operators that PyTorch exports, without operators specific to ONNX Runtime."""

import numpy as np
from onnx import helper

from graphs.graph import Graph


def plain(source, target):
    graph = Graph(source)
    write = {"FastGelu": _gelu, "SkipLayerNormalization": _norm, "FusedMatMul": _product}
    for node in graph.nodes:
        if node.domain == "com.microsoft":
            write[node.op_type](graph, node, {one.name: helper.get_attribute_value(one) for one in node.attribute})
    sets = [one for one in graph.model.opset_import if not one.domain]
    graph.model.ClearField("opset_import")
    graph.model.opset_import.extend(sets)
    graph.save(target)


def _number(graph, value):
    return graph.constant(f"number_{value}", np.array(value, np.float32))


def _step(graph, node, kind, *inputs, **attributes):
    """Adds an intermediate node for another node's result, and returns its output."""
    name = f"{node.output[0]}_{kind}_{len(graph.makers)}"
    graph.put(kind, inputs, [name], **attributes)
    return name


def _gelu(graph, node, _):
    """Replaces a Gelu with `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x³)))`, as in the authors' model."""
    given = node.input[0]
    if len(node.input) > 1 and node.input[1]:
        given = _step(graph, node, "Add", given, node.input[1])
    cube = _step(graph, node, "Pow", given, _number(graph, 3.0))
    inner = _step(graph, node, "Add", given, _step(graph, node, "Mul", cube, _number(graph, 0.044715)))
    wave = _step(graph, node, "Tanh", _step(graph, node, "Mul", inner, _number(graph, 0.7978845608028654)))
    half = _step(graph, node, "Mul", given, _number(graph, 0.5))
    graph.put("Mul", [half, _step(graph, node, "Add", wave, _number(graph, 1.0))], node.output)


def _norm(graph, node, attributes):
    """Replaces a fused sum and norm."""
    inputs = list(node.input) + [""] * (5 - len(node.input))
    total = _step(graph, node, "Add", inputs[0], inputs[1])
    if inputs[4]:
        total = _step(graph, node, "Add", total, inputs[4])
    graph.put(
        "LayerNormalization", [one for one in (total, *inputs[2:4]) if one], node.output[:1], axis=-1,
        epsilon=attributes.get("epsilon", 1e-12))
    if len(node.output) > 3 and node.output[3]:
        graph.put("Identity", [total], [node.output[3]])


def _product(graph, node, attributes):
    """Replaces a matrix product with a batch axis."""
    inputs = list(node.input)
    for place, swaps in enumerate(("transA", "transB")):
        if attributes.get(swaps):
            inputs[place] = _step(graph, node, "Transpose", inputs[place], perm=[0, 2, 1])
    if attributes.get("transBatchA") or attributes.get("transBatchB"):
        raise ValueError("a FusedMatMul transposes its batch dimension")
    product = _step(graph, node, "MatMul", *inputs)
    graph.put("Mul", [product, _number(graph, float(attributes.get("alpha", 1)))], node.output)
