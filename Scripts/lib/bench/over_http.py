"""HTTP services with many concurrent clients: synthhost's own, and those of the peers."""

import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time

from bench import peers, process, texts
from bench.measuring import PROGRAM, ROOT

LIMIT = 600
# The size of the WAV header, which is the same for all services.
HEAD = 44
CLIENTS = [1, 8, 32]
# The number of sentences in a short and a longer text, which concurrent clients request alternately.
LENGTHS = [1, 4]
# The pause between two services in seconds.
PAUSE = 0.3
ESPEAK = "espeak-ng"


class Service:
    """A process that responds to `POST path` with a WAV file."""

    def __init__(self, command, environment, path, body, port=None):
        """`body` returns the members of a request for a text. If `port` is None, the process reports its own."""
        self.path, self.body = path, body
        self.child = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if port else subprocess.PIPE, text=True)
        self.port = port or self._told()
        self._wait()
        self.peak = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def _told(self):
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", line := self.child.stderr.readline())):
            if not line:
                sys.exit("synthhost serve exited")
        # Drain the pipe, so that later messages do not fill it.
        threading.Thread(target=self.child.stderr.read, daemon=True).start()
        return int(found.group(1))

    def _wait(self):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.child.poll() is None:
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                time.sleep(0.05)
        sys.exit(f"{' '.join(self.child.args)[:300]} accepts no connections")

    def _watch(self):
        while self.child.poll() is None:
            self.peak = max(self.peak, self.memory())
            time.sleep(0.1)

    def memory(self):
        """Returns the memory of the process and all its descendants, in bytes."""
        return process.resident(self.child.pid)

    def ask(self, text, **more):
        """Returns the seconds to the first byte of audio and to the end, and the duration of the audio."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        start, first, size, head = time.perf_counter(), None, 0, b""
        connection.request("POST", self.path, json.dumps(self.body(text) | more), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        while piece := answer.read1(1 << 16):
            size += len(piece)
            head = (head + piece)[:HEAD] if len(head) < HEAD else head
            if first is None and size > HEAD:
                first = time.perf_counter() - start
        connection.close()
        if answer.status != 200 or first is None:
            sys.exit(f"{' '.join(self.child.args)[:300]} responded with HTTP status {answer.status}")
        rate = int.from_bytes(head[24:28], "little")
        return {"first": first, "whole": time.perf_counter() - start, "sound": (size - HEAD) / 2 / rate}

    def crowd(self, texts):
        """Returns the results of concurrent clients, each of which requests its own texts in sequence."""
        told, start, used = [], time.perf_counter(), process.processor(self.child.pid)

        def client(own):
            for text in own:
                told.append(self.ask(text))

        threads = [threading.Thread(target=client, args=(own,)) for own in texts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds, sound = time.perf_counter() - start, sum(one["sound"] for one in told)
        return {"rate": sound / seconds, "first": statistics.median(one["first"] for one in told),
                "work": (process.processor(self.child.pid) - used) / sound}

    def close(self):
        self.child.terminate()
        self.child.wait()


def ours(kind, environment, folder):
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return Service(
        [PROGRAM, "serve", "--http", "127.0.0.1:0"], {**environment, "XDG_RUNTIME_DIR": folder}, "/v1/audio/speech",
        lambda text: {"model": kind, "voice": "Bench", "input": text, "response_format": "wav"})


def theirs(files, environment):
    """Returns the name and the service of the peer that a user would choose."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    if not files.voices:
        command = [peers.PYTHON, "-m", "piper.http_server", "-m", files.model, "--host", "127.0.0.1", "--port", str(port)]
        return "piper-tts", Service(command, environment, "/synthesize", lambda text: {"text": text}, port)
    server = os.path.join(ROOT, "Scripts", "lib", "bench", "kokoro_server.py")
    # Exclude this folder from the search path, because its files have the names of packages.
    command = [peers.PYTHON, "-P", server, files.model, files.voices, str(port)]
    return "kokoro-onnx", Service(
        command, environment, "/v1/audio/speech", lambda text: {"input": text, "voice": files.voice}, port)


def crowd(source, clients, is_slow):
    """Returns a list of short and longer texts for each client, with fewer texts for slow engines."""
    count = max(1, (4 if is_slow else 32) // clients)
    return [[texts.piece(source, LENGTHS[(client + number) % 2]) for number in range(count)] for client in range(clients)]


class Turns:
    """Sends requests to the services, which take turns. In each turn, all services get the same new texts."""

    def __init__(self, services):
        self.services, self.turn = services, 0

    def take(self, count, make, ask):
        """Calls `ask` for each service, with the result of `make` for a source of texts. Returns the results."""
        found = {name: [] for name in self.services}
        for _ in range(count):
            self.turn += 1
            given = make(texts.new(self.turn))
            first = self.turn % len(found)
            for name in [*found][first:] + [*found][:first]:
                # Wait until the threads of the previous service have stopped spinning, because they would slow down this one.
                time.sleep(PAUSE)
                found[name].append(ask(self.services[name], given))
        return found


def rows(services, ours, runs, is_slow):
    """Yields the label, the unit, the values keyed by service, and the number of digits."""
    turns = Turns(services)
    each = lambda found, key, factor=1: {name: [one[key] * factor for one in told] for name, told in found.items()}
    memory = lambda: {name: [service.memory() / 1e6] for name, service in services.items()}
    # Load the voice.
    turns.take(1, lambda source: texts.piece(source, 1), Service.ask)
    yield "over HTTP: memory of all processes, voice loaded", "MB", memory(), 0
    for what, sentences in (("short text", 1), ("paragraph", 8)):
        found = turns.take(2 * runs + 1, lambda source: texts.piece(source, sentences), Service.ask)
        yield f"over HTTP: first byte of audio, {what}", "ms", each(found, "first", 1e3), 1
    for clients in CLIENTS:
        found = turns.take(max(1, runs // 3), lambda source: crowd(source, clients, is_slow), Service.crowd)
        yield f"over HTTP: {clients} concurrent, first byte of audio", "ms", each(found, "first", 1e3), 0
        yield f"over HTTP: {clients} concurrent, audio per second", "", each(found, "rate"), 1
        yield "  processor seconds per second of audio", "", each(found, "work"), 4
    peak = {name: [service.peak / 1e6] for name, service in services.items()}
    yield "over HTTP: peak memory of all processes", "MB", peak, 0
    yield "over HTTP: memory of all processes, afterwards", "MB", memory(), 0
    espeak = Turns({ours: services[ours]}).take(
        2 * runs + 2, lambda source: texts.piece(source, 1),
        lambda service, text: service.ask(text, model=ESPEAK, voice="en"))
    # The first request loads the engine.
    yield "over HTTP: first byte of audio, espeak-ng", "ms", {ours: each(espeak, "first", 1e3)[ours][1:]}, 1
