"""A two-kilobyte graph with the same kinds of computation as Kokoro on a small scale. The host uses it to measure the machine before it
downloads a voice. It has no weights, because constants of the right shape take the same time. It has the same inputs and outputs as
Kokoro, so the engine itself can run it.

Most of Kokoro's work consists of convolutions of 128 channels over thousands of frames, with 3, 7 and 11 taps. The normalization and the
sine before each convolution take a third of the time. The probe has the same structure.
"""
import struct

CHANNELS, FRAMES, TAPS = 128, 6000, (3, 7, 11)
FLOAT, INT64 = 1, 7


def varint(number):
    number &= (1 << 64) - 1
    coded = b""
    while number > 0x7F:
        coded += bytes([number & 0x7F | 0x80])
        number >>= 7
    return coded + bytes([number])


def field(number, value):
    """Encodes a protobuf field: an integer, text, or a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, element, shape, data):
    return (b"".join(field(1, size) for size in shape) + field(2, element) + field(8, name) + field(9, data))


def floats(name, *numbers, shape=None):
    shape = shape if shape is not None else ([len(numbers)] if len(numbers) > 1 else [])
    return tensor(name, FLOAT, shape, struct.pack(f"<{len(numbers)}f", *numbers))


def integers(name, *numbers):
    return tensor(name, INT64, [len(numbers)], struct.pack(f"<{len(numbers)}q", *numbers))


def attribute(name, value):
    """Encodes an attribute: a list of integers, an integer, or a tensor."""
    if isinstance(value, list):
        return field(1, name) + b"".join(field(8, number) for number in value) + field(20, 7)
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    return field(1, name) + field(5, value) + field(20, 4)


def node(kind, inputs, output, **attributes):
    return (b"".join(field(1, name) for name in inputs.split()) + field(2, output) + field(4, kind)
            + b"".join(field(5, attribute(name, value)) for name, value in attributes.items()))


def value(name, element, shape):
    dimensions = b"".join(field(1, field(2, size) if isinstance(size, str) else field(1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, element) + field(2, dimensions)))


def graph():
    nodes = [
        node("Range", "zero frames step", "ramp"),
        node("Mul", "ramp speed", "tilted"),
        node("Expand", "tilted shape", "x0"),
    ]
    constants = [
        floats("zero", 0.0), floats("frames", float(FRAMES)), floats("step", 1.0), floats("two", 2.0),
        floats("alpha", 0.7), integers("shape", 1, CHANNELS, FRAMES), integers("flat", -1), integers("bias", CHANNELS),
    ]
    nodes.append(node("ConstantOfShape", "bias", "scale", value=tensor("", FLOAT, [1], struct.pack("<f", 0.5))))
    x = "x0"
    for number, taps in enumerate(TAPS, 1):
        mark = lambda name: f"{name}{number}"
        constants.append(integers(mark("size"), CHANNELS, CHANNELS, taps))
        weight = tensor("", FLOAT, [1], struct.pack("<f", 1 / (CHANNELS * taps)))
        nodes += [
            node("ConstantOfShape", mark("size"), mark("weight"), value=weight),
            node("InstanceNormalization", f"{x} scale scale", mark("norm")),
            node("Mul", f"{mark('norm')} alpha", mark("wide")),
            node("Sin", mark("wide"), mark("sine")),
            node("Pow", f"{mark('sine')} two", mark("square")),
            node("Mul", f"{mark('square')} alpha", mark("small")),
            node("Add", f"{mark('norm')} {mark('small')}", mark("snake")),
            node("Conv", f"{mark('snake')} {mark('weight')} scale", mark("conv"), pads=[taps // 2, taps // 2]),
            node("Add", f"{mark('conv')} {x}", mark("x")),
        ]
        x = mark("x")
    nodes += [node("ReduceMean", x, "mean", axes=[1], keepdims=0), node("Reshape", "mean flat", "audio")]
    return (b"".join(field(1, item) for item in nodes) + field(2, "probe")
            + b"".join(field(5, item) for item in constants)
            + b"".join(field(11, value(name, element, shape)) for name, element, shape in (
                ("tokens", INT64, [1, "n"]), ("style", FLOAT, [1, 256]), ("speed", FLOAT, [1])))
            + field(12, value("audio", FLOAT, ["samples"])))


def model():
    """Returns the file contents, with IR version 8 and operator set version 17."""
    return field(1, 8) + field(7, graph()) + field(8, field(1, "") + field(2, 17))


def style():
    """Returns a style table with one row of zeros, in NumPy's format."""
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 256), }".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(1024)


def multiplications():
    """Returns the number of multiply-adds in one run, in billions. The work of other nodes is proportional."""
    return CHANNELS * CHANNELS * sum(TAPS) * FRAMES / 1e9
