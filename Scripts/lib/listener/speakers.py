"""The programs that speak the sentences: ours with four engines, and other programs with the same weights."""

import hashlib
import json
import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass

from bench import peers
from clients.service import Service
from listener import packages, voices
from listener.host import Host

FOLDER = os.path.join(packages.FOLDER, "heard")
# The input files for other programs.
LAID = os.path.join(FOLDER, "kokoro")
ARCHIVE = os.path.join(LAID, "voices.npz")
# The timeout per sentence in seconds.
LIMIT = 300


@dataclass(frozen=True)
class Spoken:
    path: str
    words: str
    """The verbalized text; empty for programs that do not report it."""


def _path(name, *given):
    """Returns the path of an audio file. Its name is derived from its inputs, so that different text or rules result in a different
    file."""
    os.makedirs(os.path.join(FOLDER, name), exist_ok=True)
    return os.path.join(FOLDER, name, hashlib.sha256("\0".join(given).encode()).hexdigest()[:16] + ".wav")


class Ours:
    """synthhost with one of its engines, through a service."""

    def __init__(self, name, label, *choice):
        self.name, self.label, self._choice = name, label, choice

    def speak(self, sentences):
        with Host() as host:
            made = [self._prepared(host, sentence.text) for sentence in sentences]
            missing = [(each, sentence) for each, sentence in zip(made, sentences) if not os.path.exists(each.path)]
            if missing:
                with self._serving(host):
                    for each, sentence in missing:
                        part = each.path + ".new.wav"
                        host.run("speak", "-q", *self._choice, "-o", part, sentence.text)
                        os.rename(part, each.path)
        return made

    def _prepared(self, host, text):
        lines = host.run("speak", "--show-text", "--json", "-l", "en-US", text).splitlines()
        words = " ".join(json.loads(line)["said"] for line in lines)
        return Spoken(_path(self.name, text, words), words)

    @contextmanager
    def _serving(self, host):
        for name in {"Joe", "Heart Small"} & set(self._choice):
            host.run("models", "pull", name)
        if "Alpha" in self._choice:
            host.add_kokoro(LAID, voices.STYLE)
        service = Service("--http", "127.0.0.1:0", home=host.home)
        try:
            yield
        finally:
            service.stop()


class Theirs:
    """Another project's program, in the environment of the benchmark's peers."""

    def __init__(self, name, label, *files):
        self.name, self.label, self._files = name, label, files

    def speak(self, sentences):
        made = [Spoken(_path(self.name, sentence.text), "") for sentence in sentences]
        missing = [[sentence.text, each.path] for each, sentence in zip(made, sentences) if not os.path.exists(each.path)]
        if missing:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "theirs.py")
            subprocess.run(
                [peers.PYTHON, script, self.name, *self._files], input=json.dumps(missing).encode(), check=True,
                timeout=LIMIT * len(missing))
        return made


SPEAKERS = (
    Ours("espeak-ng", "synthhost, espeak-ng", "-e", "espeak-ng", "-l", "en-US"),
    Ours("joe", "synthhost, Joe", "-v", "Joe"),
    Theirs("piper", "piper-tts, Joe", voices.JOE_FILE),
    Ours("heart", "synthhost, small Heart", "-v", "Heart Small"),
    Theirs("hibari", "hibari-tts, Heart", voices.SMALL_FILE),
    Ours("kokoro", "synthhost, Kokoro", "-v", "Alpha"),
    Theirs("kokoro_onnx", "kokoro-onnx", voices.KOKORO_FILE, ARCHIVE, voices.AMERICAN),
)
# The rates 2 and 3, as used with screen readers.
FAST = tuple(
    Ours(f"{name}-{rate}", f"{label}, {rate}×", *choice, "-r", str(rate)) for rate in (2, 3) for name, label, *choice in (
        ("espeak-ng", "espeak-ng", "-e", "espeak-ng", "-l", "en-US"), ("heart", "small Heart", "-v", "Heart Small")))


def prepare(speakers):
    """Fetches the voices."""
    names = {speaker.name.split("-")[0] for speaker in speakers}
    if any(isinstance(speaker, Theirs) for speaker in speakers):
        peers.prepare()
    if names & {"joe", "piper"}:
        voices.joe()
    if names & {"heart", "hibari"}:
        voices.small()
    if names & {"kokoro", "kokoro_onnx"}:
        voices.kokoro()
        archive = voices.lay(LAID)
        with open(ARCHIVE, "wb") as file:
            file.write(archive)
