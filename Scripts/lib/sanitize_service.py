"""Speaks through `synthhost serve` with many concurrent clients. Some of them disconnect early, while programs speak through the same
service and engines are killed, so that all state that threads share is accessed concurrently."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from clients.programs import LIMIT  # noqa: E402
from clients.service import Service  # noqa: E402

CLIENTS = 8
ROUNDS = int(os.environ.get("SYNTHHOST_LOAD_ROUNDS", "12"))
TEXT = "The first sentence is short. A second one follows it, and says a little more. "


class Load:
    def __init__(self):
        self.service = Service(
            "--wyoming", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", address=rb"http://127\.0\.0\.1:\d+")
        self.wyoming = self.service._told(rb"tcp://127\.0\.0\.1:\d+").decode().rsplit(":", 1)
        self.http = self.service.address.rsplit(":", 1)
        self.faults = []
        self.heard = 0

    def run(self):
        threads = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.service.stop()
        return self.faults

    def _client(self, number):
        dice = random.Random(number)
        ways = [self._wyoming, self._speech, self._program, self._status]
        for turn in range(ROUNDS):
            way = dice.choice(ways)
            try:
                way(dice)
                self.heard += 1
            except (OSError, AssertionError, ValueError, subprocess.SubprocessError, http.client.HTTPException) as fault:
                self.faults.append(f"{way.__name__}: {fault!r}")
            if number == 0 and turn == ROUNDS // 2:
                for engine in self.service.engines():
                    os.kill(engine, signal.SIGKILL)

    def _wyoming(self, dice):
        with socket.create_connection(("127.0.0.1", int(self.wyoming[1])), timeout=LIMIT) as stream:
            text = TEXT * dice.randint(1, 6)
            stream.sendall(json.dumps({"type": "synthesize", "data": {"text": text}}).encode() + b"\n")
            lines = stream.makefile("rb")
            for _ in range(dice.choice([1, 3, 10_000])):
                event = json.loads(lines.readline())
                lines.read(event.get("data_length") or 0)
                lines.read(event.get("payload_length") or 0)
                if event["type"] == "audio-stop":
                    return

    def _speech(self, dice):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.http[1]), timeout=LIMIT)
        body = {"input": TEXT * dice.randint(1, 6), "response_format": dice.choice(["wav", "mp3", "pcm"])}
        connection.request("POST", "/v1/audio/speech", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read(dice.choice([100, None]))
        connection.close()

    def _program(self, dice):
        self.service.run("speak", TEXT * dice.randint(1, 10), "-o", self.service.home.file(f"{dice.random()}.wav"))

    def _status(self, _):
        self.service.status()


def main():
    load = Load()
    faults = load.run()
    # Engines were killed on purpose, so their clients may have received errors.
    print(f"{load.heard} of {CLIENTS * ROUNDS} requests were answered")
    if load.heard < CLIENTS * ROUNDS // 2:
        sys.exit("\n".join(["Most requests were not served:", *faults[:10]]))


main()
