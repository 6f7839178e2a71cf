"""Tests `synthhost serve --http` with `curl`, with the commands from the documentation."""

import json
import os
import signal
import subprocess

from clients import sound
from clients.checks import equal
from clients.programs import LIMIT, wait_until
from clients.service import Service

# An hour of audio.
LONG = " ".join(f"This is the sentence with the number {number} of a long text." for number in range(1200))
# curl's exit statuses. For a truncated response, the status is 18 if data is missing, and 56 if the connection is reset.
REFUSED, UNSENT, CUT = 22, 55, (18, 56)


class Server(Service):
    def __init__(self):
        super().__init__("--http", "127.0.0.1:0")

    def command(self, path, *options, body=None):
        given = ["-d", json.dumps(body)] if body else []
        return ["curl", "-sS", "-m", str(LIMIT), self.address + path, *given, *options]

    def curl(self, path, *options, **more):
        done = subprocess.run(
            self.command(path, *options, **more), cwd=self.home.path, capture_output=True, timeout=2 * LIMIT)
        return done.returncode, done.stdout

    def error(self, path, *options, **more):
        """Returns the status and the code of an error."""
        _, said = self.curl(path, "-w", "\n%{http_code}", *options, **more)
        body, status = said.rsplit(b"\n", 1)
        return int(status), json.loads(body)["error"]["code"]


def run(checks):
    server = Server()
    try:
        _check(checks.ok, server)
    finally:
        checks.ok("the server exits after all that and leaves no processes", server.stop)


def _check(ok, server):
    speech = "/v1/audio/speech"

    def file():
        equal(server.curl(speech, "-o", "hello.mp3", body={"input": "Hello there, everybody.", "voice": "en"}), (0, b""))
        heard = sound.Sound(server.home.file("hello.mp3"))
        return heard.seconds > 0.5 and heard.peak > 1000
    ok("curl saves speech to a file without naming a format", file)
    ok("an unknown voice is an error", lambda: equal(
        server.error(speech, body={"input": "Hello", "voice": "Nobody"}), (400, "unknown_voice")))
    ok("with --fail, curl exits with an error", lambda: equal(
        server.curl(speech, "--fail", body={"input": "Hello", "voice": "Nobody"})[0], REFUSED))
    ok("a form is rejected because it is not JSON", lambda: equal(server.error(speech, "-d", "input=Hello"), (400, "not_json")))
    ok("a request without a body is rejected", lambda: equal(server.error(speech), (405, "method_not_allowed")))

    def voices():
        _, said = server.curl("/v1/audio/voices")
        return {"id": "espeak-ng/de", "name": "German"}.items() <= next(
            voice.items() for voice in json.loads(said)["voices"] if voice["id"] == "espeak-ng/de")
    ok("curl lists the voices with their names", voices)
    ok("the words have times", lambda: _words(server))
    for how, options in (("with its length", ["-T", "huge"]), ("in chunks", ["-T", "-"])):
        ok(f"a body of one gigabyte, sent {how}, is rejected and uses no memory", lambda options=options: _huge(server, options))
    ok("if an engine is killed in the middle, curl notices the incomplete speech, and the next request works", lambda: _killed(server))


def _words(server):
    """Returns the word timings in Kokoro-FastAPI's format."""
    _, said = server.curl("/dev/captioned_speech", body={"input": "One, two, three.", "voice": "en", "stream": False})
    times = json.loads(said)["timestamps"]
    equal([word["word"] for word in times], ["One", "two", "three"])
    return all(word["start_time"] < word["end_time"] for word in times)


def _huge(server, options):
    with open(server.home.file("huge"), "wb") as file:
        file.truncate(1 << 30)
    before = server.memory()
    with open(server.home.file("huge"), "rb") as body:
        done = subprocess.run(
            server.command("/v1/audio/speech", "-X", "POST", "-H", "Expect:", "-w", "\n%{http_code} %{size_upload}", *options),
            stdin=body, cwd=server.home.path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=2 * LIMIT)
    os.remove(server.home.file("huge"))
    status, sent = done.stdout.rsplit(b"\n", 1)[1].split()
    # The response may be lost, because the connection is closed before the entire request has been sent.
    equal(done.returncode in (0, UNSENT, *CUT) and status in (b"413", b"000"), True)
    equal(int(sent) < 64 << 20, True)
    equal(server.memory() - before < 32 << 20, True)
    return server.error("/v1/audio/speech", "-d", "input=Hello") == (400, "not_json")


def _killed(server):
    command = server.command(
        "/v1/audio/speech", "-N", "-o", "cut.wav", body={"input": LONG, "voice": "en", "response_format": "wav"})
    curl = subprocess.Popen([*command, "--limit-rate", "200k", "-m", str(2 * LIMIT)], cwd=server.home.path, stderr=subprocess.DEVNULL)
    cut = server.home.file("cut.wav")
    wait_until(lambda: os.path.exists(cut) and os.path.getsize(cut) > 10_000, "the speech begins")
    for process in server.engines():
        os.kill(process, signal.SIGKILL)
    equal(curl.wait(3 * LIMIT) in CUT, True)
    equal(server.curl("/v1/audio/speech", "-o", "after.mp3", body={"input": "Still here.", "voice": "en"}), (0, b""))
    return sound.Sound(server.home.file("after.mp3")).peak > 1000
