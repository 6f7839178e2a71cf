"""Peers from PyPI, in a separate environment below `.build`."""

import importlib.metadata
import json
import os
import struct
import sys
import zipfile

import pinned
from bench.measuring import ROOT

PINNED = {
    "piper-tts": "1.8.0", "sherpa-onnx": "1.13.8", "sherpa-onnx-bin": "1.13.8", "kokoro-onnx": "0.6.1",
    "streaming-vits": "0.4.2", "hibari-tts": "0.2.1",
    # hibari-tts is twice as fast with scipy.
    "scipy": "1.17.1",
    # Packages for two HTTP services: piper-tts's own service, and a service based on kokoro-onnx.
    "flask": "3.1.3", "fastapi": "0.165.0", "uvicorn": "0.54.0"}
FOLDER = os.path.join(ROOT, ".build", "bench-peers")
PYTHON = pinned.python_of(FOLDER)
STYLE_WIDTH = 256


def prepare():
    """Installs the pinned versions, with the ONNX Runtime that each one requires."""
    pinned.install(FOLDER, pinned.names(PINNED), hint=", or add --no-peers")


def site():
    return pinned.site_of(FOLDER)


def versions():
    names = [*PINNED, "onnxruntime", "numpy"]
    found = {d.metadata["Name"].replace("_", "-").lower(): d.version for d in importlib.metadata.distributions(path=[site()])}
    return {name: found[name] for name in names if name in found}


def espeak_data():
    """Returns the folder of piper-tts's espeak-ng data, which sherpa-onnx can also read."""
    return os.path.join(site(), "piper", "espeak-ng-data")


class Files:
    """The additional files for the peers, created from the model."""

    def __init__(self, model, voices, folder):
        self.model, self.voices, self.folder = model, voices, folder
        self.tokens = os.path.join(folder, "tokens.txt")
        if voices:
            self._kokoro()
        else:
            with open(model + ".json", encoding="utf-8") as file:
                ids = json.load(file)["phoneme_id_map"]
            self._write_tokens({symbol: numbers[0] for symbol, numbers in ids.items()})

    def _kokoro(self):
        self.tables = styles(self.voices)
        self.voice, numbers = next(iter(self.tables.items()))
        self.rows = len(numbers) // (4 * STYLE_WIDTH)
        self.raw = os.path.join(self.folder, "voice.bin")
        with open(self.raw, "wb") as file:
            file.write(numbers)
        self.sherpa_voices = os.path.join(self.folder, "voices.bin")
        with open(self.sherpa_voices, "wb") as file:
            for numbers in self.tables.values():
                file.write(numbers)
        config = os.path.join(site(), "kokoro_onnx", "config.json")
        if os.path.exists(config):
            with open(config, encoding="utf-8") as file:
                self._write_tokens(json.load(file)["vocab"])

    def _write_tokens(self, ids):
        with open(self.tokens, "w", encoding="utf-8") as file:
            file.writelines(f"{symbol} {number}\n" for symbol, number in ids.items())


def styles(archive):
    """Returns the tables in a float32 `.npz` as bytes, keyed by voice name."""
    tables = {}
    with zipfile.ZipFile(archive) as members:
        for name in members.namelist():
            content = members.read(name)
            (length,) = struct.unpack_from("<H", content, 8)
            header = content[10 : 10 + length].decode("latin-1")
            if "'<f4'" not in header or "'fortran_order': False" not in header:
                sys.exit(f"{archive}: {name} is not a float32 array in C order")
            tables[name.removesuffix(".npy")] = content[10 + length :]
    return tables
