"""Converts a dynamically quantized model to the float values of its weights."""

import numpy as np

from graphs.graph import Graph, other

# The operations between a bias and its quantized form, if it is quantized at run time.
ROUNDING = ["Add", "Cast", "Div", "Floor", "Reshape", "Round"]
SHAPING = ["Reshape", "Squeeze", "Unsqueeze"]


def dequantise(source, target):
    graph = Graph(source)
    for node in graph.nodes:
        if node.op_type in ("ConvInteger", "MatMulInteger"):
            _product(graph, node)
        elif node.op_type == "DynamicQuantizeLSTM":
            _recurrence(graph, node)
        elif node.op_type == "DequantizeLinear":
            _lookup(graph, node)
    graph.save(target)
    left = sorted({node.op_type for node in graph.nodes if "Quantize" in node.op_type or "Integer" in node.op_type})
    if left:
        raise ValueError(f"still quantized: {left}")


def _product(graph, node):
    """Matches an integer product, possibly with a bias, followed by a Cast and a product with both scales."""
    quantizer = graph.maker(node.input[0], "DynamicQuantizeLinear")
    step, bias = graph.reader(node.output[0], "Add", "Cast"), None
    if step.op_type == "Add":
        bias = _bias(graph, other(step, node.output[0]))
        step = graph.reader(step.output[0], "Cast")
    product = graph.reader(step.output[0], "Mul")
    scale = _scale(graph, other(product, step.output[0]), quantizer.output[1])
    is_convolution = node.op_type == "ConvInteger"
    zero = node.input[3] if len(node.input) > 3 else ""
    axis = 0 if is_convolution else -1
    weights = _floats(graph, node.input[1], scale, zero, axis)
    inputs = [quantizer.input[0], weights] + ([bias] if bias else [])
    graph.put("Conv" if is_convolution else "MatMul", inputs, product.output, node.attribute)


def _recurrence(graph, node):
    """Converts a recurrent layer. Its weights have the last two axes swapped, and a scale per direction or per row."""
    inputs = list(node.input) + [""] * (12 - len(node.input))
    names = []
    for weights, scale, zero in ((1, 8, 9), (2, 10, 11)):
        numbers = graph.array(inputs[weights]).astype(np.float64)
        steps, zeros = (graph.array(inputs[one]).astype(np.float64) for one in (scale, zero))
        shape = (numbers.shape[0], 1, -1)
        floats = (numbers - zeros.reshape(shape)) * steps.reshape(shape)
        names.append(graph.constant(inputs[weights] + "_float", floats.transpose(0, 2, 1).astype(np.float32)))
    whole = [inputs[0], *names, *inputs[3:8]]
    while not whole[-1]:
        whole.pop()
    graph.put("LSTM", whole, node.output, node.attribute)


def _lookup(graph, node):
    """Converts a lookup in a quantized table, or a constant."""
    rows = graph.maker(node.input[0], "Gather")
    zero = node.input[2] if len(node.input) > 2 else ""
    if rows is not None:
        table = _floats(graph, rows.input[0], node.input[1], zero, 0)
        graph.put("Gather", [table, rows.input[1]], node.output, rows.attribute)
    else:
        graph.put("Identity", [_floats(graph, node.input[0], node.input[1], zero, 0)], node.output)


def _floats(graph, name, scale, zero, axis):
    """Returns a constant with the values of quantized numbers. Equal numbers share a constant."""
    numbers = graph.array(name).astype(np.float64)
    shape = [1] * numbers.ndim
    steps, zeros = graph.array(scale).astype(np.float64), graph.array(zero).astype(np.float64) if zero else np.zeros(1)
    shape[axis] = -1
    steps, zeros = (one.reshape(shape) if one.size > 1 else one.reshape(()) for one in (steps, zeros))
    return graph.constant(f"{name}_{scale}_float", ((numbers - zeros) * steps).astype(np.float32))


def _scale(graph, name, of_input):
    """Returns the scale of the weights in a product of two scales."""
    while (shaping := graph.maker(name, *SHAPING)) is not None:
        name = shaping.input[0]
    return other(graph.maker(name, "Mul"), of_input)


def _bias(graph, name):
    """Returns the float bias before it was rounded."""
    while graph.array(name) is None or graph.array(name).dtype != np.float32:
        name = graph.maker(name, *ROUNDING).input[0]
    return graph.constant(f"{name}_flat", graph.array(name).reshape(-1))
