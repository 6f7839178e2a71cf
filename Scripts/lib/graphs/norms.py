"""Replaces the separate steps of each norm over time with an InstanceNormalization."""

import numpy as np
import onnx

from graphs.graph import Graph
from graphs.runs import shapes


def put_back(source, target):
    """Matches `(x - mean) / sqrt(mean((x - mean)²) + epsilon)`, with both means over the last axis."""
    graph = Graph(source)
    found = [norm for node in graph.nodes if node.op_type == "Div" and (norm := _norm(graph, node))]
    if not found:
        raise ValueError("the graph contains no norms in separate steps")
    channels = shapes(source, sorted({source for source, _, _ in found}))
    for given, output, epsilon in found:
        count = channels[given][1]
        ones = graph.constant(f"ones_{count}", np.ones(count, np.float32))
        zeros = graph.constant(f"zeros_{count}", np.zeros(count, np.float32))
        graph.put("InstanceNormalization", [given, ones, zeros], [output], [onnx.helper.make_attribute("epsilon", epsilon)])
    graph.save(target)


def _norm(graph, quotient):
    """Returns the input, output and epsilon of a norm, or None if the quotient is not a norm."""
    root = graph.maker(quotient.input[1], "Sqrt")
    total = root and graph.maker(root.input[0], "Add")
    mean = total and graph.maker(total.input[0], "ReduceMean")
    square = mean and graph.maker(mean.input[0], "Mul", "Pow")
    difference = square and graph.maker(square.input[0], "Sub")
    first = difference and graph.maker(difference.input[1], "ReduceMean")
    if not first or difference.output[0] != quotient.input[0] or first.input[0] != difference.input[0]:
        return None
    if not (_is_over_time(graph, first) and _is_over_time(graph, mean)):
        return None
    return difference.input[0], quotient.output[0], float(graph.array(total.input[1]))


def _is_over_time(graph, mean):
    axes = [list(one.ints) for one in mean.attribute if one.name == "axes"]
    if not axes and len(mean.input) > 1:
        axes = [graph.array(mean.input[1]).tolist()]
    return axes in ([[2]], [[-1]])
