"""Tests `synthhost serve --http` with PyPI's `openai`."""

import json
import os
import subprocess

from clients import sound
from clients.checks import equal
from clients.programs import LIMIT, PYTHON
from clients.service import PROGRAM, Service

CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "openai_client.py")
VOICE = "English (America)"
TEXT = "Hello there, this is a sentence. And this is another one."


class Server(Service):
    def __init__(self):
        super().__init__("--http", "127.0.0.1:0")
        # This command speaks in its own process, not through the service.
        alone = dict(self.home.environment, XDG_RUNTIME_DIR=self.home.file("alone"))
        self.spoken = self.home.file("spoken.wav")
        subprocess.run([PROGRAM, "speak", "-q", "-v", VOICE, TEXT, "-o", self.spoken], env=alone, check=True)

    def ask(self, what):
        """Returns what the client has received. The client stores its files in the home folder."""
        done = subprocess.run(
            [PYTHON, CLIENT, self.address, self.home.path, PROGRAM, what], env=self.home.environment,
            capture_output=True, timeout=3 * LIMIT, text=True)
        if done.returncode:
            raise AssertionError(done.stderr)
        return json.loads(done.stdout)[what]

    def sound(self, name):
        return sound.Sound(self.home.file(name))


def run(checks):
    server = Server()
    try:
        _check(checks.ok, server)
    finally:
        checks.ok("the HTTP server exits and leaves no processes", server.stop)


def _check(ok, server):
    spoken = sound.Sound(server.spoken)

    def plain():
        equal(server.ask("plain"), "audio/wav")
        sound.same_speech(server.sound("plain.wav"), spoken)
        return spoken.seconds > 2 and spoken.peak > 1000
    ok("PyPI's openai saves speech to a file", plain)

    def usual():
        equal(server.ask("nothing_said"), "audio/mpeg")
        sound.same_speech(server.sound("usual.mp3"), spoken)
    ok("the default format is MP3", usual)

    def streamed():
        server.ask("streamed_file")
        sound.same_speech(server.sound("streamed.wav"), spoken)
    ok("PyPI's openai streams speech to a file", streamed)

    def whole():
        equal(server.ask("whole"), {"length": True, "says": True})
        sound.same_speech(server.sound("whole.wav"), spoken)
    ok("without streaming, the WAV header contains the length", whole)

    def stream():
        seen = server.ask("stream")
        equal(seen["running at the first bytes"], 1)
        return 300 < sound.pcm(server.home.file("stream.pcm")).seconds < 1200
    ok("the first bytes arrive before the remaining audio is synthesized", stream)

    server.ask("formats")
    for name in ("wav", "mp3", "opus", "flac", "pcm"):
        file = server.home.file(f"format.{name}")
        ok(f"ffmpeg reads {name} with the same speech", lambda: sound.same_speech(
            sound.pcm(file) if name == "pcm" else sound.Sound(file), spoken))

    def speed():
        server.ask("speed")
        slow, quick = (server.sound(f"{name}.wav").seconds for name in ("slow", "quick"))
        return 1.6 < slow / spoken.seconds < 2.4 and 1.6 < spoken.seconds / quick < 2.6
    ok("the speed changes the duration", speed)

    def more():
        server.ask("more")
        return server.sound("loud.wav").peak > 3 * server.sound("low.wav").peak
    ok("extra_body passes our parameters, and unknown parameters are ignored", more)

    refused = server.ask("errors")
    for what, wanted in (
        ("unknown voice", ["BadRequestError", 400, "unknown_voice", "voice", True]),
        ("empty text", ["BadRequestError", 400, "nothing_to_say", "input", True]),
        ("only spaces", ["BadRequestError", 400, "nothing_to_say", "input", True]),
        ("too long", ["APIStatusError", 413, "text_too_long", "input", True]),
        ("aac", ["BadRequestError", 400, "unsupported_format", "response_format", True]),
        ("speed", ["BadRequestError", 400, "invalid_parameter", "speed", True]),
        ("damaged", ["BadRequestError", 400, "not_json", None, True]),
        ("no model", ["NotFoundError", 404, "not_found", None, True]),
        ("no path", ["NotFoundError", 404, "not_found", None, True]),
    ):
        ok(f"PyPI's openai raises the right exception with our error code: {what}", lambda: equal(refused[what], wanted))

    def not_here():
        seen = server.ask("not_here")
        if seen != "every voice is installed":
            equal(seen, {"raised": ["NotFoundError", 404, "voice_not_downloaded", "voice", True], "asked": 1})
    ok("a request for a voice that is not installed fails immediately, and the client does not retry", not_here)

    def models():
        seen = server.ask("models")
        equal((seen["objects"], seen["one"]), (["model"], seen["listed"][0]))
        return "espeak-ng" in seen["listed"]
    ok("PyPI's openai lists the engines as models", models)

    def events():
        seen = server.ask("events")
        equal((seen["content"], seen["last"], seen["sentences"]), ("text/event-stream", "speech.audio.done", 2))
        for text, _, written in seen["words"]:
            equal(text, written)
        times = [time for _, time, _ in seen["words"]]
        equal((times, len(times) > 8), (sorted(times), True))
        sound.same_speech(sound.pcm(server.home.file("events.pcm")), spoken)
    ok("server-sent events contain the audio, the words and the end", events)

    def together():
        seen = server.ask("together")
        # The exact number of samples differs each time that an engine speaks.
        return all(abs(one / other - 1) < 0.01 for one, other in zip(*seen.values(), strict=True))
    ok("eight simultaneous requests all get their complete speech", together)
    ok("a client that disconnects in the middle stops its engine, and causes no failure", lambda: equal(
        server.ask("leave"), {"speeches": {"running": 0, "waiting": 0}, "stopped": True, "failed": 0, "speaks": True}))
