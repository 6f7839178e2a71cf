"""Tests `synthhost serve` with the Wyoming client from PyPI."""

import json
import os
import subprocess

from clients.checks import equal
from clients.programs import LIMIT, PYTHON
from clients.service import Service

CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "assistant_client.py")


class Server(Service):
    """A service on a free port."""

    def __init__(self):
        super().__init__("--wyoming", "tcp://127.0.0.1:0", address=rb"tcp://127\.0\.0\.1:\d+")

    def ask(self, what):
        """Returns what the client has received."""
        done = subprocess.run(
            [PYTHON, CLIENT, self.address, what], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=3 * LIMIT,
            text=True)
        equal((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)


def run(checks):
    server = Server()
    try:
        _check(checks.ok, server)
    finally:
        checks.ok("the Wyoming server exits and leaves no processes", server.stop)


def _check(ok, server):
    ok("the Wyoming client receives the voices", lambda: equal(
        server.ask("describe"), {"installed": True, "streams": True}))

    def plain():
        seen = server.ask("plain")
        equal(seen["types"], ["audio-start", "audio-chunk", "audio-stop"])
        equal((seen["rate"], seen["width"], seen["channels"]), (22050, 2, 1))
        return seen["seconds"] > 1 and seen["peak"] > 1000
    ok("the Wyoming client receives speech", plain)
    ok("the Wyoming client receives an error for an unknown voice", lambda: equal(server.ask("nobody")["types"], ["error"]))

    def stream():
        plain, seen = server.ask("plain"), server.ask("stream")
        equal(seen["types"][-1], "synthesize-stopped")
        equal(seen["types"].count("audio-start"), seen["types"].count("audio-stop"))
        equal("error" in seen["types"], False)
        # The server must not speak the complete text that the client also sends.
        return 0.7 < seen["seconds"] / plain["seconds"] < 1.4
    ok("the Wyoming client receives speech for text that it sends in chunks, like Home Assistant", stream)
    ok("the Wyoming client receives the audio of several requests on one connection", lambda: equal(
        [kind for kind in server.ask("twice")["types"] if kind != "audio-chunk"], ["audio-start", "audio-stop"] * 2))
