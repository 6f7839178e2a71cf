"""Writes the expected results for the tests of the Whisper plugin: FOLDER/expected.json for the model of `whisper_onnx.py --tiny
FOLDER`.

It only uses numpy and ONNX Runtime, follows the published feature extractor and decoder, and is as simple as possible.
"""

import json
import os
import sys

import numpy
import onnxruntime

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tiny_whisper  # noqa: E402

RATE, HOP, LENGTH, MOST = 16000, 160, 400, 16
NAMES = {**tiny_whisper.vocabulary(), **tiny_whisper.special()}
END, START, UNTIMED = (NAMES[f"<|{name}|>"] for name in ("endoftext", "startoftranscript", "notimestamps"))
ZERO = UNTIMED + 1
# Suppressed tokens have probability 0.
numpy.seterr(divide="ignore")


def sound(seconds):
    """Returns a tone that rises and swells, with some of its third harmonic."""
    time = numpy.arange(int(seconds * RATE)) / RATE
    phase = 2 * numpy.pi * (200 * time + 150 * time ** 2)
    return ((0.3 + 0.2 * numpy.sin(5 * time)) * (numpy.sin(phase) + 0.1 * numpy.sin(3 * phase))).astype(numpy.float32)


def mel(samples, bands):
    whole = numpy.zeros(30 * RATE)
    whole[:min(len(samples), len(whole))] = samples[:len(whole)]
    padded = numpy.pad(whole, LENGTH // 2, mode="reflect")
    window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(LENGTH) / LENGTH)
    power = numpy.stack([abs(numpy.fft.rfft(padded[HOP * n:HOP * n + LENGTH] * window)) ** 2 for n in range(3000)], 1)
    marks = numpy.linspace(0, 15 + numpy.log(8) * 27 / numpy.log(6.4), bands + 2)
    hertz = numpy.where(marks < 15, marks * 200 / 3, 1000 * numpy.exp((marks - 15) * numpy.log(6.4) / 27))
    bins = numpy.linspace(0, 8000, LENGTH // 2 + 1)
    rows = [
        numpy.clip(numpy.minimum((bins - low) / (top - low), (high - bins) / (high - top)), 0, None) * 2 / (high - low)
        for low, top, high in zip(hertz, hertz[1:], hertz[2:])]
    levels = numpy.log10(numpy.maximum(numpy.array(rows, numpy.float32) @ power, 1e-10))
    return (numpy.maximum(levels, levels.max() - 8) + 4) / 4


def samples_of(array):
    """Returns some positions and values of an array."""
    random = numpy.random.default_rng(1)
    rows, columns = random.integers(0, array.shape[0], 60), random.integers(0, 300, 60)
    columns[:8] = [0, 1, 2, 2999, 2998, 229, 230, 231]
    return [[int(row), int(column), round(float(array[row, column]), 6)] for row, column in zip(rows, columns)]


class Model:
    def __init__(self, folder):
        self.encoder, self.decoder = (
            onnxruntime.InferenceSession(os.path.join(folder, name)) for name in ("encoder_model.onnx", "decoder_model_merged.onnx"))
        self.names = [output.name for output in self.decoder.get_outputs()]
        with open(os.path.join(folder, "generation_config.json"), encoding="utf-8") as file:
            self.settings = json.load(file)

    def hear(self, features):
        self.hidden = self.encoder.run(None, {"input_features": features[None].astype(numpy.float32)})[0]

    def read(self, tokens):
        """Returns all outputs of the decoder for a complete text, without its cache."""
        feed = {"input_ids": numpy.array([tokens]), "encoder_hidden_states": self.hidden, "use_cache_branch": numpy.array([False])}
        for given in self.decoder.get_inputs():
            if given.name.startswith("past"):
                feed[given.name] = numpy.zeros((1, given.shape[1], 0, given.shape[3]), numpy.float32)
        return dict(zip(self.names, self.decoder.run(None, feed)))

    def allowed(self, scores, said, timed):
        scores = scores.astype(float)
        scores[self.settings["suppress_tokens"]] = -numpy.inf
        if not said:
            scores[self.settings["begin_suppress_tokens"]] = -numpy.inf
        if timed:
            scores[UNTIMED] = -numpy.inf
            times = [token for token in said if token >= ZERO]
            if not said:
                scores[:ZERO] = scores[ZERO + 51:] = -numpy.inf
            elif said[-1] >= ZERO and (len(said) == 1 or said[-2] >= ZERO):
                scores[ZERO:] = -numpy.inf
            elif said[-1] >= ZERO:
                scores[:END] = scores[ZERO:said[-1]] = -numpy.inf
            if times and (said[-1] < ZERO or len(said) == 1 or said[-2] >= ZERO):
                scores[ZERO:times[-1] + 1] = -numpy.inf
        chances = numpy.exp(scores - scores.max())
        if timed and numpy.log(chances[ZERO:].sum()) > numpy.log(chances[:ZERO].max()):
            chances[:ZERO] = 0
        return numpy.log(chances / chances.sum())

    def search(self, prompt, width, timed):
        live, done = [([], 0.0)], []
        for _ in range(MOST):
            found = []
            for said, score in live:
                chances = self.allowed(self.read(prompt + said)["logits"][0, -1], said, timed)
                best = numpy.argsort(-chances, kind="stable")[:2 * width if width > 1 else 1]
                found += [(said + [int(token)], score + chances[token]) for token in best if numpy.isfinite(chances[token])]
            live = []
            # As in CTranslate2, a finished text is accepted only if it is among the best `width` texts. Otherwise, it is dropped.
            for rank, (said, score) in enumerate(sorted(found, key=lambda text: -text[1])[:2 * width]):
                if said[-1] != END and len(live) < width:
                    live.append((said, score))
                elif said[-1] == END and rank < width:
                    done.append((said[:-1], score / len(said)))
            if len(done) >= width or not live:
                break
        else:
            done += [(said, score / len(said)) for said, score in live]
        return max(done, key=lambda text: text[1])


def read(model, features):
    model.hear(features)
    prompt, texts = [START, NAMES["<|de|>"], NAMES["<|transcribe|>"]], []
    for width in (1, 5):
        for timed in (False, True):
            tokens, mean = model.search(prompt + ([] if timed else [UNTIMED]), width, timed)
            texts.append({"width": width, "isTimed": timed, "tokens": tokens, "mean": round(float(mean), 6)})
    return texts


def main(folder):
    model = Model(folder)
    samples = sound(2.3)
    texts = [read(model, mel(samples, 80) + 1e-5 * noise) for noise in (0, *numpy.random.default_rng(2).standard_normal((4, 80, 3000)))]
    if any([text["tokens"] for text in other] != [text["tokens"] for text in texts[0]] for other in texts):
        sys.exit("the texts depend on rounding: use another seed")
    model.hear(mel(samples, 80))
    expected = {"mel80": samples_of(mel(samples, 80)), "mel128": samples_of(mel(samples, 128)), "melLong": samples_of(mel(sound(31), 80)), "texts": texts[0]}
    scores = model.read([START])["logits"][0, 0].astype(float)
    chances = numpy.exp(scores[[NAMES[f"<|{name}|>"] for name in tiny_whisper.LANGUAGES]])
    expected["language"] = tiny_whisper.LANGUAGES[int(chances.argmax())]
    quiet = numpy.exp(scores - scores.max())
    expected["quiet"] = round(float(quiet[NAMES["<|nospeech|>"]] / quiet.sum()), 6)
    with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(expected, file, separators=(",", ":"))


main(sys.argv[1])
