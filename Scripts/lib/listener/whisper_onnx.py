"""Writes Whisper as ONNX graphs in the layout of optimum's exports, which the Whisper plugin reads.

    whisper_onnx.py CTRANSLATE2_FOLDER TARGET [--cross] [--flexible]
    whisper_onnx.py --tiny TARGET

The first command needs a folder with model.bin, config.json and tokenizer.json, as faster-whisper uses it. TARGET receives
encoder_model.onnx, decoder_model_merged.onnx, tokenizer.json and generation_config.json. --cross adds the outputs for word times,
--flexible makes the encoder accept fewer than 3000 frames. --tiny writes random weights of a few kilobytes with its own tokens, for
tests. Needs numpy and onnx.
"""

import argparse
import json
import os
import shutil
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tiny_whisper  # noqa: E402
from ct2_weights import Weights  # noqa: E402

FRAMES, POSITIONS = 3000, 1500


class Builder:
    """The nodes of a graph. Constants may be shared with other graphs of the model."""

    def __init__(self, weights, constants, prefix=""):
        self.weights, self.constants, self.prefix, self.nodes = weights, constants, prefix, []

    def __call__(self, operation, *inputs, outputs=1, name=None, **attributes):
        names = [name or f"{self.prefix}{len(self.nodes)}.{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operation, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, name, make):
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(make(), name)
        return name

    def numbers(self, *values, kind=numpy.int64, scalar=False):
        array = numpy.array(values[0] if scalar else values, kind)
        return self.constant(f"{array.dtype}:{array.shape}:{','.join(map(str, values))}", lambda: array)

    def index(self, value):
        return self.numbers(value, scalar=True)

    def real(self, value):
        return self.numbers(value, kind=numpy.float32, scalar=True)

    def weight(self, name, turned=False):
        def make():
            array = self.weights[name].astype(numpy.float32)
            return numpy.ascontiguousarray(array.T) if turned else array

        made = self.weights.made(self, name) if hasattr(self.weights, "made") else None
        return made or self.constant(name + ("^T" if turned else ""), make)

    def linear(self, value, name):
        return self("Add", self("MatMul", value, self.weight(name + "/weight", True)), self.weight(name + "/bias"))

    def normalized(self, value, name):
        return self("LayerNormalization", value, self.weight(name + "/gamma"), self.weight(name + "/beta"), epsilon=1e-5)

    def gelu(self, value):
        # Use the same sequence of operators as the public exports, which ONNX Runtime fuses into one operator.
        error = self("Add", self("Erf", self("Div", value, self.real(2 ** 0.5))), self.real(1.0))
        return self("Mul", self("Mul", value, error), self.real(0.5))

    def parts(self, value, count, width):
        return self("Split", value, self.numbers(*[width] * count), outputs=count, axis=-1)

    def by_heads(self, value, heads):
        return self("Transpose", self("Reshape", value, self.numbers(0, 0, heads, -1)), perm=[0, 2, 1, 3])

    def attention(self, query, key, value, size, mask=None):
        scores = self("MatMul", self("Mul", query, self.real(size ** -0.5)), self("Transpose", key, perm=[0, 1, 3, 2]))
        weights = self("Softmax", self("Add", scores, mask) if mask else scores, axis=-1)
        mixed = self("Transpose", self("MatMul", weights, value), perm=[0, 2, 1, 3])
        return self("Reshape", mixed, self.numbers(0, 0, -1)), weights

    def feed_forward(self, value, layer):
        inner = self.gelu(self.linear(self.normalized(value, f"{layer}/ffn/layer_norm"), f"{layer}/ffn/linear_0"))
        return self("Add", value, self.linear(inner, f"{layer}/ffn/linear_1"))

    def size(self, value, axis):
        return self("Gather", self("Shape", value), self.index(axis))


def floats(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


class Shape:
    """The dimensions of a model, derived from its weights."""

    def __init__(self, weights):
        self.bands = weights["encoder/conv1/weight"].shape[1]
        self.width = weights["decoder/layer_norm/gamma"].shape[0]
        self.heads = int(weights["decoder/num_heads"])
        self.head = self.width // self.heads
        self.encoder, self.decoder = (
            len({name.split("/")[1] for name in weights if name.startswith(f"{side}/layer_") and name.count("/") > 2})
            for side in ("encoder", "decoder"))


def encoder(weights, flexible):
    shape = Shape(weights)
    build = Builder(weights, {})
    value = "input_features"
    for number in (1, 2):
        name = f"encoder/conv{number}"
        value = build.gelu(build(
            "Conv", value, build.weight(name + "/weight"), build.weight(name + "/bias"), pads=[1, 1], strides=[number],
            kernel_shape=[3]))
    value = build("Transpose", value, perm=[0, 2, 1])
    places = build.weight("encoder/position_encodings/encodings")
    if flexible:
        length = build("Unsqueeze", build.size(value, 1), build.numbers(0))
        places = build("Slice", places, build.numbers(0), length, build.numbers(0))
    value = build("Add", value, places)
    for layer in (f"encoder/layer_{number}" for number in range(shape.encoder)):
        inner = build.linear(build.normalized(value, f"{layer}/self_attention/layer_norm"), f"{layer}/self_attention/linear_0")
        query, key, content = (build.by_heads(part, shape.heads) for part in build.parts(inner, 3, shape.width))
        seen, _ = build.attention(query, key, content, shape.head)
        value = build.feed_forward(build("Add", value, build.linear(seen, f"{layer}/self_attention/linear_1")), layer)
    build("Identity", build.normalized(value, "encoder/layer_norm"), name="last_hidden_state")
    frames, positions = ("frames", "positions") if flexible else (FRAMES, POSITIONS)
    return helper.make_graph(
        build.nodes, "encoder", [floats("input_features", "batch_size", shape.bands, frames)],
        [floats("last_hidden_state", "batch_size", positions, shape.width)], list(build.constants.values()))


def branch(weights, constants, is_first, gives_attention):
    """Builds one branch of the decoder: for the entire prompt, or for one more token. Returns its nodes and outputs by their common
    names."""
    shape = Shape(weights)
    build = Builder(weights, constants, "first." if is_first else "later.")
    found = {}

    def give(name, value):
        found[name] = build("Identity", value, name=build.prefix + name)

    def past(layer, side, part):
        return f"past_key_values.{layer}.{side}.{part}"

    before = build.index(0) if is_first else build.size(past(0, "decoder", "key"), 2)
    total = build("Add", before, build.size("input_ids", 1))
    first, last = (build("Unsqueeze", value, build.numbers(0)) for value in (before, total))
    table = build.weight("decoder/embeddings/weight")
    places = build("Slice", build.weight("decoder/position_encodings/encodings"), first, last, build.numbers(0))
    value = build("Add", build("Gather", table, "input_ids"), places)
    # Mask later positions.
    rows = build("Unsqueeze", build("Range", before, total, build.index(1)), build.numbers(1))
    columns = build("Unsqueeze", build("Range", build.index(0), total, build.index(1)), build.numbers(0))
    mask = build("Where", build("Greater", columns, rows), build.real(-1e9), build.real(0.0))
    for number in range(shape.decoder):
        layer = f"decoder/layer_{number}"
        inner = build.linear(build.normalized(value, f"{layer}/self_attention/layer_norm"), f"{layer}/self_attention/linear_0")
        query, *own = (build.by_heads(part, shape.heads) for part in build.parts(inner, 3, shape.width))
        for place, part in enumerate(("key", "value")):
            if not is_first:
                own[place] = build("Concat", past(number, "decoder", part), own[place], axis=2)
            give(f"present.{number}.decoder.{part}", own[place])
        seen, _ = build.attention(query, *own, shape.head, mask)
        value = build("Add", value, build.linear(seen, f"{layer}/self_attention/linear_1"))
        if is_first:
            both = build.linear("encoder_hidden_states", f"{layer}/attention/linear_1")
            sound = [build.by_heads(part, shape.heads) for part in build.parts(both, 2, shape.width)]
        else:
            sound = [past(number, "encoder", part) for part in ("key", "value")]
        for place, part in enumerate(("key", "value")):
            # In this branch, the public graphs return an empty tensor.
            none = [build.numbers(0)] * 3
            give(f"present.{number}.encoder.{part}", sound[place] if is_first else build("Slice", sound[place], *none))
        query = build.by_heads(build.linear(build.normalized(value, f"{layer}/attention/layer_norm"), f"{layer}/attention/linear_0"), shape.heads)
        seen, where = build.attention(query, *sound, shape.head)
        if gives_attention:
            give(f"cross_attentions.{number}", where)
        value = build.feed_forward(build("Add", value, build.linear(seen, f"{layer}/attention/linear_2")), layer)
    value = build.normalized(value, "decoder/layer_norm")
    give("logits", build("MatMul", value, build("Transpose", table, perm=[1, 0])))
    return build.nodes, found


def merged(weights, gives_attention):
    shape = Shape(weights)
    vocabulary = weights["decoder/embeddings/weight"].shape[0]
    constants = {}
    halves = [branch(weights, constants, is_first, gives_attention) for is_first in (True, False)]
    shapes = {"logits": ["batch_size", "length", vocabulary]}
    for number in range(shape.decoder):
        shapes[f"cross_attentions.{number}"] = ["batch_size", shape.heads, "length", "positions"]
    keys = [f"{number}.{side}.{part}" for number in range(shape.decoder) for side in ("decoder", "encoder") for part in ("key", "value")]
    for key in keys:
        shapes["present." + key] = ["batch_size", shape.heads, "present_length", shape.head]
    names = sorted(halves[0][1], key=list(shapes).index)
    first, later = (
        helper.make_graph(nodes, label, [], [floats(found[name], *shapes[name]) for name in names])
        for (nodes, found), label in zip(halves, ("first", "later")))
    choice = helper.make_node("If", ["use_cache_branch"], names, then_branch=later, else_branch=first)
    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch_size", "length"]),
        floats("encoder_hidden_states", "batch_size", "positions", shape.width),
        *(floats("past_key_values." + key, "batch_size", shape.heads, "past_length", shape.head) for key in keys),
        helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1])]
    return helper.make_graph(
        [choice], "decoder", inputs, [floats(name, *shapes[name]) for name in names], list(constants.values()))


def save(graph, path):
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    print(os.path.basename(path), os.path.getsize(path))


def settings(config, tokens):
    """Returns generation_config.json, derived from the settings that CTranslate2 keeps."""
    ids = {token["content"]: token["id"] for token in tokens["added_tokens"]}
    is_multilingual = ids["<|endoftext|>"] != 50256
    return {
        "alignment_heads": config["alignment_heads"], "begin_suppress_tokens": config["suppress_ids_begin"],
        "suppress_tokens": config["suppress_ids"], "is_multilingual": is_multilingual, "max_initial_timestamp_index": 50}


def main():
    parser = argparse.ArgumentParser(description="Writes Whisper as ONNX graphs.")
    parser.add_argument("source", nargs="?")
    parser.add_argument("target")
    for option in ("--cross", "--flexible", "--tiny"):
        parser.add_argument(option, action="store_true")
    asked = parser.parse_args()
    os.makedirs(asked.target, exist_ok=True)
    if asked.tiny:
        weights = tiny_whisper.Weights()
        tiny_whisper.write_tokens(asked.target)
    else:
        weights = Weights(os.path.join(asked.source, "model.bin"))
        tokens = os.path.join(asked.source, "tokenizer.json")
        shutil.copyfile(tokens, os.path.join(asked.target, "tokenizer.json"))
        with open(tokens, encoding="utf-8") as table, open(os.path.join(asked.source, "config.json"), encoding="utf-8") as config:
            found = settings(json.load(config), json.load(table))
        with open(os.path.join(asked.target, "generation_config.json"), "w", encoding="utf-8") as file:
            json.dump(found, file)
    save(encoder(weights, asked.flexible), os.path.join(asked.target, "encoder_model.onnx"))
    save(merged(weights, asked.cross or asked.tiny), os.path.join(asked.target, "decoder_model_merged.onnx"))


if __name__ == "__main__":
    main()
