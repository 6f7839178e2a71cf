"""Scenarios with `synthhost serve`: a request with a fault, another request without a fault, and the exit of the service."""

import array
import base64
import errno
import http.client
import json
import math
import os
import re
import select
import signal
import socket
import struct
import subprocess
import time

from clients.programs import wait_until
from faults.trial import LIMIT, Audio, Outcome

ADDRESSES = re.compile(rb"(http|tcp)://127\.0\.0\.1:(\d+)")
TOKEN = "a-token-that-is-long-enough-for-this"
# The sample rate of live audio in hertz.
RATE = 24000
# The maximum number of additional descriptors of a service that has been used: for a worker, a lane and logs.
MORE_DESCRIPTORS = 24
# The time limit in seconds for a service to print its next address.
START = 10


class HTTP:
    """An HTTP request. Its response is complete or an error."""

    def __init__(self, path, body):
        self.path, self.body = path, body

    def ask(self, run, service):
        client = http.client.HTTPConnection("127.0.0.1", service.http, timeout=LIMIT)
        try:
            client.request("POST", self.path, json.dumps(self.body), {
                "Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"})
            answer = client.getresponse()
            content = answer.read()
            return (0, content) if answer.status < 300 else (answer.status, content)
        except TimeoutError:
            return "hung", b""
        except (OSError, http.client.HTTPException) as error:
            return type(error).__name__, b""
        finally:
            client.close()


class Download(HTTP):
    """A request that starts a download. It is complete when the voice is installed."""

    def ask(self, run, service):
        status, content = super().ask(run, service)
        if status:
            return status, content
        begin = latest = time.monotonic()
        while time.monotonic() < begin + LIMIT:
            if not service.is_alive():
                return "ended", b""
            # If the fault persists, the service cannot report the state. Without descriptors, it cannot even accept a connection.
            if time.monotonic() > latest + 5:
                return "unavailable", b""
            client = http.client.HTTPConnection("127.0.0.1", service.http, timeout=5)
            try:
                client.request("GET", f"/api/voices?key={self.body['key']}", headers={"Authorization": f"Bearer {TOKEN}"})
                state = json.loads(client.getresponse().read())["state"]
            except (OSError, http.client.HTTPException, ValueError, KeyError):
                state = None
            finally:
                client.close()
            if state:
                latest = time.monotonic()
            if state == "ready":
                return 0, b""
            if state in ("failed", "cancelled", "notDownloaded", "broken"):
                return state, b""
            time.sleep(0.02)
        return "hung", b""


class Upgrade(HTTP):
    """A new version is installed while the service is running. Then the service gets a request, and the new command speaks."""

    def ask(self, run, service):
        run.programs.replace()
        status, content = super().ask(run, service)
        if status:
            return status, content
        return run.run("speak", self.body["input"], "-o", "Documents/out.wav").status, content


class Wyoming:
    """An utterance over Wyoming. The audio is complete, an event reports an error, or the connection is closed."""

    def __init__(self, text):
        self.text = text

    def ask(self, run, service):
        sound = b""
        try:
            with socket.create_connection(("127.0.0.1", service.wyoming), timeout=LIMIT) as stream:
                stream.sendall(json.dumps({"type": "synthesize", "data": {"text": self.text}}).encode() + b"\n")
                lines = stream.makefile("rb")
                while line := lines.readline():
                    event = json.loads(line)
                    lines.read(event.get("data_length") or 0)
                    payload = lines.read(event.get("payload_length") or 0)
                    if event["type"] == "audio-chunk":
                        sound += payload
                    if event["type"] == "error":
                        return "error", b""
                    if event["type"] == "audio-stop":
                        return 0, sound
            return "closed", b""
        except TimeoutError:
            return "hung", b""
        except (OSError, ValueError) as error:
            return type(error).__name__, b""


class Realtime:
    """A live transcription over a WebSocket."""

    def ask(self, run, service):
        try:
            return self._ask(run, service)
        except TimeoutError:
            return "hung", b""
        except (OSError, ValueError) as error:
            return type(error).__name__, b""

    def _ask(self, run, service):
        with socket.create_connection(("127.0.0.1", service.http), timeout=LIMIT) as stream:
            key = base64.b64encode(os.urandom(16)).decode()
            stream.sendall((
                f"GET /v1/realtime?intent=transcription HTTP/1.1\r\nHost: 127.0.0.1:{service.http}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                f"Authorization: Bearer {TOKEN}\r\n\r\n").encode())
            lines = stream.makefile("rb")
            status = lines.readline()
            while lines.readline().strip():
                pass
            if b"101" not in status:
                return status.split()[1].decode() if status else "closed", b""
            # A second of audio that a loudness detector classifies as speech, and a pause.
            tone = [math.sin(place / RATE * 4400) * (0.5 + 0.45 * math.sin(place / RATE * 25)) * 20000 for place in range(RATE)]
            sound = array.array("h", [int(sample) for sample in tone] + [0] * RATE).tobytes()
            self._send(stream, {"type": "session.update", "session": {
                "type": "transcription", "audio": {"input": {
                    "format": {"type": "audio/pcm", "rate": RATE}, "turn_detection": {"type": "server_vad", "silence_duration_ms": 300}}}}})
            for place in range(0, len(sound), 16000):
                self._send(stream, {"type": "input_audio_buffer.append", "audio": base64.b64encode(sound[place:place + 16000]).decode()})
            while True:
                head = lines.read(2)
                if len(head) < 2:
                    return "closed", b""
                size = head[1] & 127
                if size == 126:
                    size, = struct.unpack(">H", lines.read(2))
                elif size == 127:
                    size, = struct.unpack(">Q", lines.read(8))
                content = lines.read(size)
                if head[0] & 15 == 8:
                    return "closed", b""
                if head[0] & 15 != 1:
                    continue
                event = json.loads(content)
                if event["type"].endswith("transcription.completed"):
                    return 0, event["transcript"].encode()
                if event["type"] == "error" or event["type"].endswith("failed"):
                    return f"error: {event.get('error', {}).get('message')}", b""

    def _send(self, stream, event):
        content = json.dumps(event).encode()
        size = len(content)
        head = bytes([0x81]) + (bytes([128 | size]) if size < 126 else struct.pack(">BH", 254, size) if size < 1 << 16
                                else struct.pack(">BQ", 255, size))
        mask = os.urandom(4)
        stream.sendall(head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(content)))


class Service:
    def __init__(self, run):
        self.process = run.start("serve", "--wyoming", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0")
        self.messages, found = b"", {}
        deadline = time.monotonic() + LIMIT
        while len(found) < 2 and time.monotonic() < deadline:
            # A fault can suppress the line with an address.
            if not select.select([self.process.stderr], [], [], START)[0]:
                break
            line = self.process.stderr.readline()
            if not line:
                break
            self.messages += line
            found.update({kind: int(port) for kind, port in ADDRESSES.findall(line)})
        self.http, self.wyoming = found.get(b"http"), found.get(b"tcp")

    def is_alive(self):
        return self.process.poll() is None

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_time(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        """Sends SIGTERM, and returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            _, rest = self.process.communicate(timeout=LIMIT)
            self.messages += rest
            return self.process.returncode
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            return "hung"


class ServiceScenario:
    """A client's request to a service or, without a client, only the start and exit of the service."""
    outputs, uses, folder = (), (), None
    varying = [".local/state", ".cache"]

    def __init__(self, name, client, files=None, prepare=(), is_downloading=False):
        self.name, self.client, self.files, self.before = name, client, files or {}, prepare
        self._service = None
        if is_downloading:
            self.varying = [*self.varying, ".local/share"]

    def prepare(self, run):
        run.home.environment["SYNTHHOST_HTTP_TOKEN"] = TOKEN
        run.furnish(self.files, [["voices"], *self.before])

    def begin(self, run):
        self._service = Service(run) if self.client else None
        if self.client and not self._service.http:
            raise AssertionError(f"the service did not start: {self._service.messages.decode(errors='replace')[-500:]}")
        # Wait for a response, because the addresses are printed before all threads have started.
        if self.client:
            wait_until(lambda: HTTP("/v1/audio/speech", {}).ask(run, self._service)[0] == 400, "the service answers", LIMIT)
            self._descriptors = self._service.descriptors()

    def act(self, run):
        begin = time.monotonic()
        if self.client:
            status, content = self.client.ask(run, self._service)
            return Outcome(status, content, "(a client)", time.monotonic() - begin)
        service = Service(run)
        status = service.stop()
        text = service.messages.decode(errors="replace")
        if status == 0 and not (service.http and service.wyoming):
            status = "no address"
        return Outcome(status, b"", text, time.monotonic() - begin)

    def end(self, run, fault=None):
        """Returns the problems that the service has after a request with a fault."""
        service = self._service
        if not service:
            return []
        self._service = None
        found = []
        is_killed = fault and fault.kind == "kill"
        # A killed process may need some time to exit.
        if is_killed:
            time.sleep(0.05)
        if service.is_alive():
            before = service.processor_time()
            time.sleep(0.1)
            if service.processor_time() - before > 0.08:
                found.append("the service uses the processor although it has nothing to do")
            status, _ = self.client.ask(run, service)
            if status != 0:
                found.append(f"the next request gets {status}")
            if service.is_alive() and (more := service.descriptors() - self._descriptors) > MORE_DESCRIPTORS:
                found.append(f"the service has {more} more descriptors than before")
            status = service.stop()
            if status != 0 and not (is_killed and status == -signal.SIGKILL):
                found.append(f"the service exits with {status}")
        else:
            _, rest = service.process.communicate()
            service.messages += rest
            # libdispatch ends the process if it cannot create its event descriptor.
            is_dispatch = fault and fault.kind == "error" and fault.error in (errno.EMFILE, errno.ENFILE) and service.process.returncode in (
                -signal.SIGILL, -signal.SIGTRAP)
            if not is_killed and not is_dispatch:
                found.append(f"the service exited with {service.process.returncode}: {service.messages.decode(errors='replace')[-300:]}")
        # A service cannot start programs itself. If its helper process dies, the service exits and systemd restarts it, so the problems are
        # ignored.
        return [] if b"The process that starts the engines has exited" in service.messages else found

    def result(self, run, done):
        return Audio(len(done.output)) if isinstance(self.client, (Wyoming, HTTP)) else done.output
