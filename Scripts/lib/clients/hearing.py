"""Tests `synthhost serve` and `synthhost mcp` with recordings and live audio, using PyPI's `wyoming` and `openai`, Debian's `websockets`,
curl, and a program that starts MCP servers. The recognizer is the scripted one, which treats a tone as speech, so the transcripts are
known."""

import array
import json
import math
import os
import subprocess
import wave

from clients import memory
from clients.checks import equal
from clients.programs import LIMIT, PYTHON, ROOT, Home
from clients.service import PROGRAM, Service

CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hearing_client.py")
REALTIME = os.path.join(os.path.dirname(CLIENT), "realtime_client.py")
RATE = 16000
# The scripted recognizer's texts for two segments of audio.
SAID = ["Hello, world.", "forty-two point five"]
TEXT = " ".join(SAID)


class Server(Service):
    """A service at two addresses, with the recognizer in its home folder."""

    def __init__(self):
        home = Home()
        os.makedirs(home.file(".local/share/synthhost/plugins"))
        subprocess.run(
            ["cc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-I", os.path.join(ROOT, "Sources/CSynthEngine/include"), "-o",
             home.file(".local/share/synthhost/plugins/scripted.so"), os.path.join(ROOT, "Plugins/Scripted/scripted.c")],
            check=True)
        home.write('{"recognizer": "scripted"}', ".config", "synthhost", "config.json")
        self.talk = home.file("talk.wav")
        tone = [int(16000 * math.sin(place * 0.3)) for place in range(RATE)]
        # A pause of one second ends a sentence.
        part, silence = tone[:RATE * 3 // 4], [0] * RATE
        with wave.open(self.talk, "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(array.array("h", part + silence + part + silence[:RATE // 2]).tobytes())
        self.second_of_sound = array.array("h", tone).tobytes()
        super().__init__("--wyoming", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", home=home)
        self.wyoming = self._told(rb"tcp://127\.0\.0\.1:\d+").decode()

    def ask(self, what):
        """Returns what the client has received."""
        done = subprocess.run(
            [PYTHON, CLIENT, self.wyoming, self.address, self.talk, what], env=self.home.environment, capture_output=True,
            timeout=3 * LIMIT, text=True)
        equal((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def realtime(self, what, python=PYTHON):
        """Returns what a realtime WebSocket client has received."""
        done = subprocess.run(
            [python, REALTIME, self.address, what], env=self.home.environment, capture_output=True, timeout=3 * LIMIT, text=True)
        if done.returncode:
            raise AssertionError(done.stderr)
        return json.loads(done.stdout)

    def curl(self, path, *options):
        done = subprocess.run(
            ["curl", "-sS", "-m", str(LIMIT), self.address + path, *options], capture_output=True, timeout=2 * LIMIT, text=True)
        equal((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def stop(self):
        super().stop()
        self.home.remove()


def run(checks):
    server = Server()
    try:
        _wyoming(checks.ok, server)
        _openai(checks.ok, server)
        _realtime(checks.ok, server)
        _curl(checks.ok, server)
        _tools(checks.ok, server)
        memory.check(checks.ok, server)
    finally:
        checks.ok("the server with recognizers exits and leaves no processes", server.stop)


def _wyoming(ok, server):
    def pipeline():
        seen = server.ask("pipeline")
        equal(seen["models"], {"scripted/script": ["en"]})
        equal((seen["text"], seen["language"], "".join(seen["chunks"])), (TEXT, "en", TEXT))
        return seen["streams"] and seen["kinds"][0] == "transcript-start" and seen["kinds"][-1] == "transcript-stop"
    ok("the Wyoming client gets a transcript with Home Assistant's sequence of events", pipeline)
    ok("the Wyoming client gets an error for an unknown model", lambda: equal(server.ask("nobody"), "error"))


def _openai(ok, server):
    seen = server.ask("forms")
    ok("PyPI's openai gets JSON and text", lambda: equal((seen["json"], seen["text"]), (TEXT, TEXT + "\n")))
    ok("PyPI's openai gets subtitles", lambda: seen["srt"].startswith("1\n00:00:00,") and seen["vtt"].startswith("WEBVTT\n\n00:00:00."))

    def verbose():
        found = seen["verbose_json"]
        equal(([part["text"] for part in found["segments"]], found["text"], found["duration"]), (SAID, TEXT, 3.0))
        equal([word["word"] for word in found["words"]], TEXT.split())
        return 1.65 < found["segments"][1]["start"] < 1.85
    ok("PyPI's openai gets the times of segments and words", verbose)

    def stream():
        kinds, deltas, whole = server.ask("stream")
        # Text is sent as it is recognized, so the number of deltas varies.
        equal((set(kinds[:-1]), kinds[-1], "".join(deltas), whole), ({"transcript.text.delta"}, "transcript.text.done", TEXT, TEXT))
    ok("PyPI's openai receives the transcript in chunks", stream)
    ok("PyPI's openai receives an error for each invalid request", lambda: equal(server.ask("errors"), {
        "rubbish": [400, "invalid_sound"], "model": [404, "unknown_model"]}))
    ok("PyPI's openai finds the model in the list", lambda: "scripted/script" in server.ask("models"))


def _realtime(ok, server):
    def socket(python):
        seen = server.realtime("socket", python)
        equal((seen["protocol"], seen["extensions"], seen["code"]), ("realtime", 0, 1000))
        equal((seen["deltas"], seen["text"], seen["words"]), (SAID[0], SAID[0], SAID[0].split()))
        equal((seen["kinds"][0], seen["kinds"][-1]), ("session.created", "synthhost.finished"))
        return any(SAID[0].startswith(text) and text != SAID[0] for text in seen["stable"])
    ok("Debian's websockets gets a transcript while it sends audio", lambda: socket("/usr/bin/python3"))
    ok("PyPI's websockets also gets a transcript while it sends audio", lambda: socket(PYTHON))

    def transcription():
        seen = server.realtime("transcription")
        equal((seen["deltas"], seen["text"]), (SAID[0], SAID[0]))
        for kind in ("session.created", "session.updated", "input_audio_buffer.speech_started",
                     "input_audio_buffer.speech_stopped", "input_audio_buffer.committed"):
            equal(seen["kinds"].count(kind), 1)
        return seen["classes"] == "ConversationItemInputAudioTranscriptionCompletedEvent"
    ok("PyPI's openai gets a live transcript", transcription)

    def speech():
        seen = server.realtime("speech")
        equal((seen["status"], seen["text"]), ("completed", "Hello there, this is spoken."))
        equal(seen["kinds"][-4:], [
            "response.content_part.done", "response.output_item.done", "conversation.item.done", "response.done"])
        return 0.8 < seen["seconds"] < 4 and seen["loud"] > 1000
    ok("PyPI's openai also gets speech over a realtime WebSocket", speech)


def _curl(ok, server):
    path = "/v1/audio/transcriptions"
    ok("curl sends a form and gets the text", lambda: equal(
        json.loads(server.curl(path, "-F", f"file=@{server.talk}", "-F", "model=whisper-1"))["text"], TEXT))
    ok("curl can send the form in chunks", lambda: equal(
        server.curl(path, "-F", f"file=@{server.talk}", "-F", "response_format=text", "-H", "Transfer-Encoding: chunked"),
        TEXT + "\n"))
    ok("curl gets an error for a translation, which the model does not support", lambda: equal(
        json.loads(server.curl("/v1/audio/translations", "-F", f"file=@{server.talk}"))["error"]["code"], "cannot_translate"))
    ok("curl gets an error if it sends no form", lambda: equal(
        json.loads(server.curl(path, "-d", "file=x"))["error"]["code"], "bad_form"))

    def formats():
        for name in ("mp3", "flac", "opus", "ogg"):
            file = server.home.file(f"talk.{name}")
            codec = ["-c:a", "libvorbis"] if name == "ogg" else []
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", server.talk, *codec, file], check=True)
            equal(json.loads(server.curl(path, "-F", f"file=@{file}"))["text"], TEXT)
    ok("curl can send compressed audio", formats)


def _tools(ok, server):
    def talk():
        call = {"name": "transcribe", "arguments": {"file": server.talk}}
        asked = [{"method": "initialize", "params": {"protocolVersion": "2025-06-18"}}, {"method": "tools/call", "params": call}]
        lines = "".join(json.dumps({"jsonrpc": "2.0", "id": place, **message}) + "\n" for place, message in enumerate(asked))
        done = subprocess.run(
            [PROGRAM, "mcp"], env=server.home.environment, input=lines, capture_output=True, timeout=LIMIT, text=True)
        equal((done.returncode, done.stderr), (0, ""))
        answers = {answer["id"]: answer["result"] for answer in map(json.loads, done.stdout.splitlines())}
        equal(answers[0]["serverInfo"]["name"], "synthhost")
        equal(answers[1]["content"], [{"type": "text", "text": TEXT}])
    ok("an MCP client transcribes a file with a tool", talk)
