"""The scenarios: typical uses of commands and services, with the small voices of the tests."""

import array
import io
import math
import os
import wave

from clients.programs import ROOT
from clients.registry import NAMES
from faults.service import HTTP, Download, Realtime, ServiceScenario, Upgrade, Wyoming
from faults.trial import Audio, value

TEXT = "The first sentence is short. A second one follows it, and says a little more."
TERN = next(iter(NAMES))
OUT = "Documents/out.wav"
BOOK = "# One\n\nThe first chapter has a sentence. And another one.\n\n# Two\n\nThe second chapter is shorter.\n"


class Command:
    """A `synthhost` command. It can run several times in one home folder, and must have the same result each time."""

    def __init__(
            self, name, words, prepare=(), outputs=(), files=None, folder=None, varying=(), is_output_compared=True, is_audio=False, uses=()):
        """
        prepare: commands to run first
        uses: commands that use the result, and that may remove leftover files
        outputs: files that must be complete or unchanged after each fault
        folder: a folder in which all files with a final name are outputs
        files: the initial files of the home folder: contents, or functions that return them
        varying: paths whose content or presence may vary
        is_audio: whether the command's output is audio
        """
        self.name, self.words, self.before, self.outputs, self.folder = name, words, prepare, outputs, folder
        self.files, self.varying, self.is_output_compared, self.is_audio = files or {}, varying, is_output_compared, is_audio
        self.uses = uses

    def prepare(self, run):
        run.furnish(self.files, self.before)

    def begin(self, run):
        pass

    def act(self, run):
        return run.run(*self.words)

    def end(self, run, fault=None):
        return []

    def result(self, run, done):
        """Returns the values that must be the same in all successful runs."""
        files = [value(run.home.file(*name.split("/"))) for name in self.outputs]
        return [(Audio(len(done.output)) if self.is_audio else done.output) if self.is_output_compared else b"", files]


def fixture(*names):
    def read():
        with open(os.path.join(ROOT, "Tests", "Fixtures", *names), "rb") as file:
            return file.read()
    return read


def talk():
    """Returns a recording of two tones with a pause, which the scripted recognizer treats as two sentences."""
    tone = [int(16000 * math.sin(place * 0.3)) for place in range(12000)]
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(array.array("h", tone + [0] * 16000 + tone + [0] * 8000).tobytes())
    return content.getvalue()


KNOWN = [["voices"]]
HAS_TERN = [["models", "pull", TERN]]
LISTENS = {".config/synthhost/config.json": '{"recognizer": "scripted"}', "Documents/talk.wav": talk}
ALL = [
    Command("speak into a file for the first time", ["speak", TEXT, "-o", OUT], outputs=[OUT]),
    Command("speak over an existing file", ["speak", TEXT, "-o", OUT], KNOWN, outputs=[OUT], files={OUT: "an older file"}),
    Command("speak to standard output", ["speak", TEXT, "-o", "-", "--format", "wav"], KNOWN, is_audio=True),
    Command("speak into an Opus file", ["speak", TEXT, "-o", "Documents/out.opus"], KNOWN, outputs=["Documents/out.opus"]),
    Command("speak on a device", ["speak", TEXT], KNOWN, varying=["played.raw"]),
    Command("download a voice", ["models", "pull", TERN], KNOWN, is_output_compared=False, 
            uses=[["speak", "-v", "Tern", "One.", "-o", "-", "--format", "wav"]]),
    Command("speak with a downloaded voice", ["speak", "-v", "Tern", "--variation", "0", TEXT, "-o", OUT], HAS_TERN, outputs=[OUT]),
    Command("add a voice", ["models", "add", "Documents/mine.onnx", "--id", "mine", "--name", "Mine"], KNOWN, files={
        "Documents/mine.onnx": fixture("Voices", TERN + ".onnx"), "Documents/mine.onnx.json": fixture("Voices", TERN + ".onnx.json")},
        is_output_compared=False, varying=[".cache", ".local/share/synthhost/models/mine"]),
    Command("a book", ["book", "Documents/book.md", "-o", "Documents/Book"], KNOWN, files={"Documents/book.md": BOOK},
            folder="Documents/Book", is_output_compared=False),
    Command("a list of texts", ["batch", "Documents/list.jsonl", "-o", "Documents/Prompts"], KNOWN, folder="Documents/Prompts", files={
        "Documents/list.jsonl": '{"id": "one", "text": "The first text."}\n{"id": "two", "text": "Another text."}\n'},
        is_output_compared=False),
    Command("transcribe", ["transcribe", "-m", "script-of-the-checks", "Documents/talk.wav", "-o", "Documents/talk.txt"],
            [["models", "pull", "script-of-the-checks"]], outputs=["Documents/talk.txt"], files=LISTENS),
    Command("listen", ["listen", "-m", "script-of-the-checks", "-d", "mic", "--silence", "0.5"], [["models", "pull", "script-of-the-checks"]],
            files={**LISTENS, "talk.raw": lambda: talk()[44:]}),
    Command("read", ["read", "--plain", "Documents/book.md"], KNOWN, files={"Documents/book.md": BOOK}, varying=["played.raw", ".local/state"], is_output_compared=False),
    Command("change the configuration", ["config", "set", "rate", "1.2"], KNOWN, files={".config/synthhost/config.json": '{"pitch": 1.1}'},
            is_output_compared=False),
    Command("setup", ["setup", "--yes"], KNOWN, varying=["played.raw"], is_output_compared=False),
    ServiceScenario("an utterance over Wyoming", Wyoming(TEXT)),
    ServiceScenario("speech over HTTP", HTTP("/v1/audio/speech", {"input": TEXT, "response_format": "wav"})),
    ServiceScenario("a download for the page", Download("/api/downloads", {"key": "piper/" + TERN}), is_downloading=True),
    ServiceScenario("a live transcription", Realtime(), LISTENS, [["models", "pull", "script-of-the-checks"]]),
    ServiceScenario("start and stop a service", None),
    ServiceScenario("an upgrade beside a running service", Upgrade("/v1/audio/speech", {"input": TEXT, "response_format": "wav"})),
]
