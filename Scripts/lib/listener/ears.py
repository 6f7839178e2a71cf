"""Runs in the environment of the listener: ears.py NAME <VALUE >VALUE, both in JSON."""

import contextlib
import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"


def hear(given):
    """What is heard in files: {model, files: [[sound, text]]}. Each text is written as it comes."""
    from faster_whisper import WhisperModel

    # Several threads would wait for each other on a busy machine, which costs much.
    whisper = WhisperModel(given["model"], device="cpu", compute_type="int8", cpu_threads=1)
    for sound, text in given["files"]:
        parts, _ = whisper.transcribe(sound, language="en", beam_size=5, condition_on_previous_text=False)
        said = "".join(part.text for part in parts).strip()
        with open(text + ".new", "w", encoding="utf-8") as file:
            file.write(said)
        os.rename(text + ".new", text)


def normal(texts):
    """Texts as Whisper's normalizer of English spells them."""
    from whisper_normalizer.english import EnglishTextNormalizer

    normalizer = EnglishTextNormalizer()
    return [normalizer(text) for text in texts]


def loudness(files):
    """Integrated loudness in LUFS."""
    import wave

    import numpy
    import pyloudnorm

    def one(path):
        with wave.open(path) as file:
            samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
            return pyloudnorm.Meter(file.getframerate()).integrated_loudness(samples)

    return [one(path) for path in files]


if __name__ == "__main__":
    answers = sys.stdout
    # Some of them print.
    with contextlib.redirect_stdout(sys.stderr):
        found = globals()[sys.argv[1]](json.load(sys.stdin))
    json.dump(found, answers)
