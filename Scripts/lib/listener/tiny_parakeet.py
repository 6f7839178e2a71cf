"""A Parakeet TDT model with random weights and few tokens, for tests. Its graphs have the same inputs and outputs as the published ones, in
both file layouts.

`encoder-model.onnx`, `decoder_joint-model.onnx`, `vocab.txt` and `config.json` are the layout of onnx-asr. In the layout of sherpa-onnx,
the same decoder and joiner are in two files, `decoder.onnx` and `joiner.onnx`, and the encoder contains the metadata. Needs numpy and onnx.
"""

import json
import os

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

BANDS, WIDTH, HIDDEN, JOINED, DURATIONS = 128, 8, 8, 24, 5
WORDS = "▁the ▁a ▁of ▁quick ▁fox ▁dog ▁over ▁forty ▁two ▁point ▁five s ing ed er ly . , ? ' n t e a o i".split()
BLANK = "<blk>"
# This seed is chosen so that no two tokens have scores so close that rounding decides between them, and so that skips of all lengths occur.
SEED = 12
FLOAT, INT32, INT64 = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64


class Graph:
    """Nodes and weights. Weights with the same name have the same values in all graphs."""

    def __init__(self, weights):
        self._weights, self._made, self._nodes, self._count = weights, {}, [], 0

    def weight(self, name, *shape):
        if name not in self._weights:
            random = numpy.random.default_rng([SEED, *name.encode()])
            self._weights[name] = (random.standard_normal(shape) * 0.6).astype(numpy.float32)
        return self._keep(name, self._weights[name])

    def numbers(self, *numbers, kind=numpy.int64):
        return self._keep(f"numbers-{len(self._made)}", numpy.array(numbers, kind))

    def _keep(self, name, array):
        self._made[name] = numpy_helper.from_array(array, name)
        return name

    def add(self, operation, *inputs, outputs=None, **attributes):
        self._count += 1
        names = outputs or [f"{operation}-{self._count}"]
        self._nodes.append(helper.make_node(operation, list(inputs), names, **attributes))
        return names[0]

    def save(self, path, inputs, outputs, notes=()):
        tensors = [[helper.make_tensor_value_info(*one) for one in some] for some in (inputs, outputs)]
        graph = helper.make_graph(self._nodes, "tiny", *tensors, list(self._made.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        helper.set_model_props(model, dict(notes))
        onnx.checker.check_model(model)
        onnx.save(model, path)


def encoder(folder):
    """Converts eight frames of 10 ms to one of 80 ms. The length is rounded up."""
    graph = Graph({})
    heard = graph.add(
        "Conv", "audio_signal", graph.weight("conv", WIDTH, BANDS, 8), graph.weight("bias", WIDTH), strides=[8], pads=[0, 7])
    graph.add("Tanh", graph.add("Mul", heard, graph.numbers(0.2, kind=numpy.float32)), outputs=["outputs"])
    one, eight = graph.numbers(1), graph.numbers(8)
    graph.add("Add", graph.add("Div", graph.add("Sub", "length", one), eight), one, outputs=["encoded_lengths"])
    graph.save(
        os.path.join(folder, "encoder-model.onnx"), [("audio_signal", FLOAT, ["b", BANDS, "t"]), ("length", INT64, ["b"])],
        [("outputs", FLOAT, ["b", WIDTH, "t8"]), ("encoded_lengths", INT64, ["b"])],
        {"vocab_size": str(len(WORDS)), "subsampling_factor": "8", "normalize_type": "per_feature", "pred_rnn_layers": "2",
         "pred_hidden": str(HIDDEN), "feat_dim": str(BANDS)})


def predict(graph, states, fresh):
    """Adds two recurrent layers. Returns [b, hidden, 1]."""
    found = graph.add("Transpose", graph.add("Gather", graph.weight("table", len(WORDS) + 1, HIDDEN), "targets"), perm=[1, 0, 2])
    halves, parts = graph.numbers(1, 1), []
    for state in states:
        names = [f"{state}-{layer}" for layer in range(2)]
        graph.add("Split", state, halves, outputs=names, axis=0)
        parts.append(names)
    kept = []
    for layer in range(2):
        weights = [graph.weight(f"{kind}{layer}", *shape) for kind, shape in (
            ("w", (1, 4 * HIDDEN, HIDDEN)), ("r", (1, 4 * HIDDEN, HIDDEN)), ("b", (1, 8 * HIDDEN)))]
        names = [f"{kind}-{layer}" for kind in ("said", "hidden", "cell")]
        graph.add("LSTM", found, *weights, "", parts[0][layer], parts[1][layer], outputs=names, hidden_size=HIDDEN)
        found = graph.add("Squeeze", names[0], graph.numbers(1))
        kept.append(names[1:])
    for place, name in enumerate(fresh):
        graph.add("Concat", *(one[place] for one in kept), outputs=[name], axis=0)
    return graph.add("Transpose", found, perm=[1, 2, 0])


def join(graph, heard, predicted):
    """Returns [b, t, u, tokens and durations]."""
    sides = [
        graph.add("Unsqueeze", graph.add(
            "MatMul", graph.add("Transpose", side, perm=[0, 2, 1]), graph.weight(name, size, JOINED)), graph.numbers(axis))
        for side, name, size, axis in ((heard, "je", WIDTH, 2), (predicted, "jd", HIDDEN, 1))]
    raw = graph.add("MatMul", graph.add("Relu", graph.add("Add", *sides)), graph.weight("jo", JOINED, len(WORDS) + 1 + DURATIONS))
    bias = [0.0] * len(WORDS) + [2.0] + [0.0] * DURATIONS
    graph.add("Add", raw, graph.numbers(*bias, kind=numpy.float32), outputs=["outputs"])


def write(folder):
    os.makedirs(folder, exist_ok=True)
    encoder(folder)
    weights = {}
    targets = [("targets", INT32, ["b", "u"]), ("target_length", INT32, ["b"])]
    heard, lengths = ("encoder_outputs", FLOAT, ["b", WIDTH, "t"]), ("prednet_lengths", INT32, ["b"])
    scores = ("outputs", FLOAT, ["b", "t", "u", len(WORDS) + 1 + DURATIONS])

    def states(*names):
        return [(name, FLOAT, [2, "b", HIDDEN]) for name in names]

    graph = Graph(weights)
    names = ("input_states_1", "input_states_2"), ("output_states_1", "output_states_2")
    join(graph, "encoder_outputs", predict(graph, *names))
    graph.add("Identity", "target_length", outputs=["prednet_lengths"])
    graph.save(
        os.path.join(folder, "decoder_joint-model.onnx"), [heard, *targets, *states(*names[0])],
        [scores, lengths, *states(*names[1])])

    graph, names = Graph(weights), (("states.1", "onnx::Slice_3"), ("states", "162"))
    graph.add("Identity", predict(graph, *names), outputs=["outputs"])
    graph.add("Identity", "target_length", outputs=["prednet_lengths"])
    graph.save(
        os.path.join(folder, "decoder.onnx"), [*targets, *states(*names[0])],
        [("outputs", FLOAT, ["b", HIDDEN, "u"]), lengths, *states(*names[1])])
    graph = Graph(weights)
    join(graph, "encoder_outputs", "decoder_outputs")
    graph.save(os.path.join(folder, "joiner.onnx"), [heard, ("decoder_outputs", FLOAT, ["b", HIDDEN, "u"])], [scores])

    with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf-8") as file:
        file.writelines(f"{word} {number}\n" for number, word in enumerate([*WORDS, BLANK]))
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump({"model_type": "nemo-conformer-tdt", "features_size": BANDS, "subsampling_factor": 8}, file)
