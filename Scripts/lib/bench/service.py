"""Measures a resident service, and the cost of a new process that speaks through the service."""

import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time

from bench.measuring import PROGRAM, first_sound, median, percentile, run, turns
from clients.service import status

CLIENTS = 50
TEXTS = [f"Sentence number {number} of a client. And one more of {number}." for number in range(20)]


class Service:
    """Runs `synthhost serve` in a separate runtime folder during a `with` block."""

    def __init__(self, environment, folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.environment = {**environment, "XDG_RUNTIME_DIR": folder}

    def __enter__(self):
        self.child = subprocess.Popen(
            [PROGRAM, "serve", "--wyoming", "tcp://127.0.0.1:0"], env=self.environment, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, text=True)
        while not (found := re.search(r"tcp://127\.0\.0\.1:(\d+)", line := self.child.stderr.readline())):
            if not line:
                sys.exit("synthhost serve exited")
        self.port = int(found.group(1))
        # Drain the pipe, so that later messages do not fill it.
        threading.Thread(target=self.child.stderr.read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.child.terminate()
        self.child.wait()

    def status(self):
        return status(self.environment, PROGRAM)


class Client:
    """A Wyoming client that sends requests in the same way as Home Assistant."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def ask(self, text):
        data = json.dumps({"text": text, "voice": {"language": "en"}}).encode()
        header = json.dumps({"type": "synthesize", "data_length": len(data)}).encode()
        self.socket.sendall(header + b"\n" + data)

    def next(self):
        header = json.loads(self.file.readline())
        self.file.read(header.get("data_length") or 0)
        return header["type"], len(self.file.read(header.get("payload_length") or 0))

    def close(self):
        self.file.close()
        self.socket.close()


def rows(runs, folders, text):
    """Compares a new process that speaks through the service, one that speaks directly, and espeak-ng."""
    voice = ["-e", "espeak-ng", "-v", "en"]
    whole, stream = folders.file("service.wav"), [PROGRAM, "speak", "-q", *voice, text, "-o", "-"]
    with Service(folders.environment, folders.file("run")) as service:
        alone, warm = folders.environment, service.environment
        first = turns(
            runs, alone=lambda: first_sound(stream, alone), ours=lambda: first_sound(stream, warm),
            theirs=lambda: first_sound(["espeak-ng", "-v", "en", text, "--stdout"], alone))
        command = [PROGRAM, "speak", "-q", *voice, text, "-o", whole]
        end = turns(
            runs, ours=lambda: run(command, warm),
            theirs=lambda: run(["espeak-ng", "-v", "en", text, "-w", whole], alone))
        crowd(service.port, seconds=2 if runs < 10 else 60)
        figures = service.status()
    milliseconds = {name: median(values) * 1000 for name, values in first.items()}
    times = {name: median([value["seconds"] * 1000 for value in values]) for name, values in end.items()}
    compared = [
        ("through a service: start to the first sample", milliseconds["ours"], milliseconds["theirs"]),
        ("through a service: start to a complete short WAV file", times["ours"], times["theirs"]),
    ]
    told = [(f"{CLIENTS} clients: {what}, {name}", figures[key][name] * 1000)
            for key, what in (("firstSound", "first audio"), ("cancel", "cancellation to silence")) for name in ("p50", "p99")
            if figures.get(key)]
    return [
        {"what": "without a service: start to the first sample", "unit": "ms", "synthhost": round(milliseconds["alone"], 1)},
        *({"what": what, "unit": "ms", "synthhost": round(ours, 1), "espeak-ng": round(theirs, 1),
           "ratio": round(ours / theirs, 2), "difference": round(ours - theirs, 1)} for what, ours, theirs in compared),
        *({"what": what, "unit": "ms", "synthhost": round(value, 1)} for what, value in told),
    ]


def crowd(port, seconds):
    """Runs fifty clients that send requests continuously, and disconnect during their first request and a third of their later requests."""
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=ask, args=(port, number, end)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def ask(port, number, end):
    numbers, is_first = random.Random(number), True
    while is_first or time.monotonic() < end:
        client = Client(port)
        for _ in range(numbers.randrange(1, 5)):
            client.ask(numbers.choice(TEXTS))
            if is_first or numbers.random() < 0.33:
                client.next()
                break
            while client.next()[0] not in ("audio-stop", "error"):
                pass
        client.close()
        is_first = False
