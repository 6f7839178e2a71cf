"""Writes the expected results for the tests of the Parakeet plugin, or compares the plugin with onnx-asr on other recordings.

    parakeet_expected.py FOLDER                    a tiny model, and expected.json: onnx-asr's results for some signals
    parakeet_expected.py FOLDER PROBE FILE...      the same model with the tests' program ParakeetProbe and with onnx-asr

A FILE contains mono samples at 16 kHz as float32. FOLDER may also contain a published model. Needs numpy, onnx, onnxruntime and
onnx-asr.
"""

import json
import os
import subprocess
import sys

import numpy
import onnx_asr

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tiny_parakeet  # noqa: E402

RATE = 16000
# Duration in seconds, initial frequency in hertz, frequency change per second, and swell rate.
SOUNDS = [
    (2.3, 200, 300, 5), (1.0, 400, 350, 9), (0.5, 120, 900, 3), (3.7, 900, -150, 7), (0.31, 300, 800, 2), (4.9, 150, 60, 11), (1.7, 2500, -900, 4),
    (2.9, 700, 1000, 6), (6.4, 80, 500, 8), (0.83, 1200, 1200, 13), (5.2, 3000, -400, 2), (12.0, 100, 250, 6)]


def sound(seconds, hertz, more, swell):
    time = numpy.arange(int(seconds * RATE)) / RATE
    phase = 2 * numpy.pi * (hertz * time + more / 2 * time ** 2)
    return ((0.3 + 0.2 * numpy.sin(swell * time)) * (numpy.sin(phase) + 0.1 * numpy.sin(3 * phase))).astype(numpy.float32)


class Model:
    def __init__(self, folder):
        self._model = onnx_asr.load_model("nemo-conformer-tdt", folder).with_timestamps()
        with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as file:
            words = [line.rstrip("\n").rsplit(" ", 1) for line in file]
        self._numbers = {word.replace("▁", " "): int(number) for word, number in words}

    def hear(self, samples):
        found = self._model.recognize(samples, sample_rate=RATE)
        return {
            "tokens": [self._numbers[token] for token in found.tokens], "frames": [round(time / 0.08) for time in found.timestamps],
            "logarithms": [round(float(one), 5) for one in found.logprobs], "text": found.text}


def write(folder):
    tiny_parakeet.write(folder)
    model, expected = Model(folder), []
    random = numpy.random.default_rng(1)
    for given in SOUNDS:
        samples = sound(*given)
        found = model.hear(samples)
        for _ in range(4):
            noise = (2e-7 * random.standard_normal(len(samples))).astype(numpy.float32)
            other = model.hear(samples + noise)
            if (other["tokens"], other["frames"]) != (found["tokens"], found["frames"]):
                sys.exit(f"the tokens of {given} depend on rounding: use another seed")
        expected.append({"sound": given, **found})
        gaps = [after - before for before, after in zip(found["frames"], found["frames"][1:])]
        print(given, len(found["tokens"]), "tokens, gaps:", {gap: gaps.count(gap) for gap in sorted(set(gaps))})
    with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(expected, file, ensure_ascii=False, separators=(",", ":"))


def compare(folder, probe, *files):
    model, same, most, count = Model(folder), 0, 0.0, 0
    lines = subprocess.run([probe, folder, *files], check=True, capture_output=True, text=True).stdout.splitlines()
    for line in map(json.loads, lines):
        found = model.hear(numpy.fromfile(line["file"], numpy.float32))
        if (found["tokens"], found["frames"]) == (line["tokens"], line["frames"]):
            same += 1
            count += len(found["tokens"])
            most = max([most, *numpy.abs(numpy.exp(found["logarithms"]) - line["probabilities"])])
        else:
            pairs = zip(zip(found["tokens"], found["frames"]), zip(line["tokens"], line["frames"]))
            place = next((place for place, (one, other) in enumerate(pairs) if one != other), "the end")
            print(f"{line['file']}: differs at token {place} of {len(found['tokens'])}")
    print(f"tokens and times equal in {same} of {len(files)}, {count} tokens; probabilities differ by at most {most:.2e}")
    sys.exit(0 if same == len(files) else 1)


compare(*sys.argv[1:]) if len(sys.argv) > 2 else write(sys.argv[1])
