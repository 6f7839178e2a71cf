"""Runs in the peers' environment: book_peer.py NAME FILE… <[[text, path]]. Speaks each text in the usual way, and encodes it with
ffmpeg."""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from listener import theirs  # noqa: E402


def speaker(name, *files):
    if name == "kokoro_onnx":
        return theirs.kokoro_onnx(*files, threads=theirs.AS_IT_CHOOSES)
    return theirs.hibari(*files) if name == "hibari" else theirs.piper(*files)


if __name__ == "__main__":
    speak = speaker(*sys.argv[1:])
    for text, path in json.load(sys.stdin):
        sound = path + ".wav"
        speak(text, sound)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", sound, "-c:a", "libopus", path], check=True)
        os.remove(sound)
