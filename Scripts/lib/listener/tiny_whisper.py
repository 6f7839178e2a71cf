"""A Whisper model with random weights and few tokens, for tests. Its graphs have the same inputs and outputs as the published ones, but
only a few kilobytes."""

import json
import os

import numpy

WIDTH, HEADS, LAYERS, BANDS, POSITIONS, CONTEXT = 8, 2, 2, 80, 1500, 448
LANGUAGES = ["en", "de", "ja", "jw"]
SPECIAL = ["endoftext", "startoftranscript", *LANGUAGES, "translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"]
# The tokens, in byte-pair merging order. Each token consists of two earlier tokens, or of bytes.
WORDS = ["Ġt", "Ġth", "Ġthe", "er", "Ġter", "Ġtern", "Ġs", "Ġsa", "Ġsai", "Ġsaid", "in", "ing"]
# This seed is chosen so that no two texts have scores so close that rounding decides between them.
SEED = 38
HEIGHT = 3.0
# As in older files, the timestamps have no names.
TIMES = 1501


def letters():
    """Returns GPT-2's letter for each byte."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in seen]
    return [*map(chr, seen), *(chr(256 + place) for place in range(len(others)))]


def vocabulary():
    return {name: number for number, name in enumerate(letters() + WORDS)}


def special():
    first = len(vocabulary())
    return {f"<|{name}|>": first + number for number, name in enumerate(SPECIAL)}


def write_tokens(folder):
    ids = special()
    added = [{"id": number, "content": name, "special": True} for name, number in ids.items()]
    with open(os.path.join(folder, "tokenizer.json"), "w", encoding="utf-8") as file:
        json.dump({"version": "1.0", "added_tokens": added, "model": {"type": "BPE", "vocab": vocabulary(), "merges": []}}, file)
    with open(os.path.join(folder, "generation_config.json"), "w", encoding="utf-8") as file:
        json.dump({
            "alignment_heads": [[0, 1], [1, 0]], "begin_suppress_tokens": [vocabulary()["Ġ"], ids["<|endoftext|>"]],
            "is_multilingual": True, "lang_to_id": {f"<|{name}|>": ids[f"<|{name}|>"] for name in LANGUAGES},
            "suppress_tokens": [ids[f"<|{name}|>"] for name in SPECIAL[1:-1]]}, file)


class Weights(dict):
    """Weights with the names of a real model. The graph computes the three large tables, so that its file need not contain them."""

    def __init__(self):
        super().__init__()
        self._random = numpy.random.default_rng(SEED)
        for side, places in (("encoder", POSITIONS), ("decoder", CONTEXT)):
            self[f"{side}/position_encodings/encodings"] = self._wave(places, 0.05)
            self[f"{side}/num_heads"] = numpy.array(HEADS)
            self._norm(f"{side}/layer_norm")
            for layer in (f"{side}/layer_{number}" for number in range(LAYERS)):
                self._norm(f"{layer}/self_attention/layer_norm")
                self._linear(f"{layer}/self_attention/linear_0", WIDTH, 3 * WIDTH)
                self._linear(f"{layer}/self_attention/linear_1", WIDTH, WIDTH)
                self._norm(f"{layer}/ffn/layer_norm")
                self._linear(f"{layer}/ffn/linear_0", WIDTH, 2 * WIDTH)
                self._linear(f"{layer}/ffn/linear_1", 2 * WIDTH, WIDTH)
                if side == "decoder":
                    self._norm(f"{layer}/attention/layer_norm")
                    for number, width in enumerate((WIDTH, 2 * WIDTH, WIDTH)):
                        self._linear(f"{layer}/attention/linear_{number}", WIDTH, width)
        for number, inputs in ((1, BANDS), (2, WIDTH)):
            self[f"encoder/conv{number}/weight"] = self._noise(WIDTH, inputs, 3)
            self[f"encoder/conv{number}/bias"] = self._noise(WIDTH)
        self["decoder/embeddings/weight"] = self._wave(len(vocabulary()) + len(special()) + TIMES, 1.0)

    def made(self, build, name):
        """Adds nodes that compute a table with the same values as `_wave`."""
        steps = {"decoder/embeddings/weight": 1.0, "encoder/position_encodings/encodings": 0.05, "decoder/position_encodings/encodings": 0.05}
        if name not in steps:
            return None
        count = self[name].shape[0]
        rows = build("Range", build.real(0.0), build.real(float(count)), build.real(1.0))
        columns = build.numbers(*range(1, WIDTH + 1), kind=numpy.float32)
        product = build("Mul", build("Unsqueeze", build("Mul", rows, build.real(steps[name])), build.numbers(1)), columns)
        return build("Mul", build("Sin", product), build.real(HEIGHT))

    def _wave(self, count, step):
        return HEIGHT * numpy.sin(step * numpy.arange(count)[:, None] * numpy.arange(1, WIDTH + 1))

    def _noise(self, *shape):
        return self._random.standard_normal(shape).astype(numpy.float32) * 0.5

    def _norm(self, name):
        self[name + "/gamma"], self[name + "/beta"] = 1 + self._noise(WIDTH), self._noise(WIDTH)

    def _linear(self, name, inputs, outputs):
        self[name + "/weight"], self[name + "/bias"] = self._noise(outputs, inputs), self._noise(outputs)
