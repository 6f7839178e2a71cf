"""Runs the test of `Scripts/soak`: many clients of one service, faults in its engines, and measurements."""

import collections
import http.client
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
import wave

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from clients.programs import BUILT, LIMIT, ROOT, Home, wait_until  # noqa: E402
from clients.service import PROGRAM, Service  # noqa: E402

CLIENTS = 6
VOICES = os.path.join(ROOT, "Tests", "Fixtures", "Voices")
# Each sentence takes more than a second with every voice.
SENTENCES = [
    "The boat lay still while the wind came over the hills.", "Nobody on the shore had seen her leave that morning.",
    "He counted seven lamps along the wall, and then he stopped.", "There was a letter on the table, and it was not for him.",
    "It rained for three days, and on the fourth they went home.",
]
SHORTEST = 1.0
# The exit status of `speak` if an engine fails.
FAILED = 70
# The average number of utterances for each fault.
FAULTS = 20
# The minimum number of utterances that shows whether memory grows.
MEASURABLE = 1000
MEGABYTE = 1 << 20
COUNTED = ["descriptors", "threads"]
# Keyed by engine: the arguments of `models add` for its voices, and the names of these voices.
ADDED = {
    "Piper": (["en_US-tern-x_low.onnx", "--name", "Robin"], ["Robin"]),
    "Kokoro": (["kokoro-tern.onnx", "af_tern.bin", "bm_tern.bin"], ["Tern (American)", "Tern (British)"]),
}
AT_ONCE = {"Hibari": (["af_small.onnx", "--language", "en-US", "--name", "Finch"], ["Finch"])}
BUILT_IN = {"EspeakNG": ["English (America)", "English (Great Britain)"], "Tone": ["tone/low"]}


class Lost(Exception):
    """An utterance was not spoken completely."""


class Soak:
    def __init__(self, utterances, seconds, seed):
        self.utterances, self.seconds, self.seed = utterances, seconds, seed
        self.home = Home()
        # Retry a failing engine soon, so that the fallback voice does not speak everything. Replace a stopped engine soon, even if no
        # other voice can continue.
        self.home.write('{"limits": {"restSeconds": 1, "idleSeconds": 4}}', ".config", "synthhost", "config.json")
        self.voices = [name for engine, names in BUILT_IN.items() if self._has(engine) for name in names]
        added = AT_ONCE if seconds is not None and seconds < 60 else {**AT_ONCE, **ADDED}
        for engine, (files, names) in added.items():
            if self._has(engine):
                self._command("models", "add", *[os.path.join(VOICES, file) if "." in file else file for file in files])
                self.voices += names
        self.service = Service("--wyoming", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", home=self.home)
        self.wyoming = int(self.service._told(rb"tcp://127\.0\.0\.1:\d+").decode().rsplit(":", 1)[1])
        self.http = int(self.service.address.rsplit(":", 1)[1])
        self.lock = threading.Lock()
        self.spoken, self.faults, self.guests, self.refused = 0, collections.Counter(), 0, 0
        self.lost, self.samples = [], []
        self.dice = random.Random(seed)
        self.isOver = threading.Event()

    def _has(self, engine):
        return os.path.exists(os.path.join(BUILT, f"lib{engine}.so"))

    def _command(self, *arguments):
        done = self._program(*arguments)
        if done.returncode:
            raise Lost(f"{arguments[:2]} exited with {done.returncode}: {done.stderr.decode()}")

    def _program(self, *arguments):
        return subprocess.run(
            [PROGRAM, *arguments], env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)

    def run(self):
        self.begin = time.monotonic()
        threads = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        threads += [threading.Thread(target=work) for work in [self._guests, self._measure]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wait_until(self.service.is_idle, "the service is idle")
        self.took = time.monotonic() - self.begin
        self.service.stop()
        self.home.remove()

    def share(self):
        """Returns the fraction of the work that is done, from 0 to 1."""
        if self.seconds is not None:
            return min(1, (time.monotonic() - self.begin) / self.seconds)
        return min(1, self.spoken / self.utterances)

    # MARK: Clients

    def _client(self, number):
        dice = random.Random(self.seed * 1000 + number)
        while not self.isOver.is_set():
            way = dice.choice([self._speech, self._event, self._play, self._file])
            self._try(way, dice.choice(self.voices), dice, number)
            with self.lock:
                if self.dice.randrange(FAULTS) == 0:
                    self._fault()
                if self.share() >= 1:
                    self.isOver.set()

    def _try(self, way, voice, dice, number):
        sentences = dice.sample(SENTENCES, dice.choice([1, 1, 1, 2, 3]))
        try:
            seconds = way(" ".join(sentences), voice, dice, number)
            if seconds < SHORTEST * len(sentences):
                raise Lost(f"only {seconds:.1f} s for {len(sentences)} sentences")
        except (Lost, OSError, EOFError, ValueError, wave.Error, subprocess.SubprocessError, http.client.HTTPException) as fault:
            with self.lock:
                self.lost.append(f"{way.__name__[1:]} with {voice} after {time.monotonic() - self.begin:.0f} s: {fault!r}")
                print(self.lost[-1], self.service.said()[-600:].decode(errors="replace"), sep="\n", file=sys.stderr)
        with self.lock:
            self.spoken += len(sentences)

    def _speech(self, text, voice, dice, _):
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=LIMIT)
        try:
            form = dice.choice(["wav", "pcm", "mp3"])
            body = {"input": text, "voice": voice, "response_format": form}
            connection.request("POST", "/v1/audio/speech", json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            # Raises an error if the body is truncated.
            sound = answer.read()
            if answer.status == 503 and b"engine_failed" in sound:
                return self._refused()
            if answer.status != 200:
                raise Lost(f"{answer.status}: {sound[:200]}")
            rate = {"wav": int.from_bytes(sound[24:28], "little") * 2, "pcm": 48_000, "mp3": 4_000}[form]
            return len(sound) / rate
        except http.client.IncompleteRead:
            return self._refused()
        finally:
            connection.close()

    def _refused(self):
        """Counts an incomplete response or file. It has only one voice, so no other voice completes it, and the client gets an error."""
        with self.lock:
            self.refused += 1
        return float("inf")

    def _event(self, text, voice, *_):
        with socket.create_connection(("127.0.0.1", self.wyoming), timeout=LIMIT) as stream, stream.makefile("rb") as lines:
            event = {"type": "synthesize", "data": {"text": text, "voice": {"name": voice}}}
            stream.sendall(json.dumps(event).encode() + b"\n")
            rate = sound = 0
            while line := lines.readline():
                event = json.loads(line)
                data = json.loads(lines.read(event.get("data_length") or 0) or b"{}") | (event.get("data") or {})
                payload = lines.read(event.get("payload_length") or 0)
                if event["type"] == "audio-start":
                    rate = data["rate"] * data["width"] * data["channels"]
                elif event["type"] == "audio-chunk":
                    sound += len(payload)
                elif event["type"] == "audio-stop":
                    return sound / rate
                else:
                    raise Lost(f"{event['type']}: {data}")
            raise Lost("the connection was closed")

    def _play(self, text, voice, *_):
        """Speaks to ALSA's null device, which does not play in real time."""
        done = self._program("speak", "--json", "--device", "null", "--voice", voice, text)
        if done.returncode == FAILED and b"takes over for" in done.stderr:
            # Another voice has spoken the remaining text.
            return float("inf")
        if done.returncode:
            raise Lost(f"speak exited with {done.returncode}: {done.stderr.decode()}")
        return json.loads(done.stdout)["seconds"]

    def _file(self, text, voice, _, number):
        path = self.home.file(f"{number}.wav")
        done = self._program("speak", "--voice", voice, "-o", path, text)
        if done.returncode == FAILED:
            return self._refused()
        if done.returncode:
            raise Lost(f"speak -o exited with {done.returncode}: {done.stderr.decode()}")
        with wave.open(path) as file:
            return file.getnframes() / file.getframerate()

    # MARK: Faults

    def _fault(self):
        engines = self.service.engines()
        if engines:
            kind = self.dice.choice([signal.SIGKILL, signal.SIGSTOP])
            try:
                os.kill(self.dice.choice(engines), kind)
                self.faults[kind.name] += 1
            except ProcessLookupError:
                # The engine has just exited.
                pass

    def _guests(self):
        """Repeatedly adds a voice, speaks with it, and removes it."""
        if not self._has("Hibari"):
            return
        dice = random.Random(self.seed)
        while not self.isOver.is_set():
            try:
                self._command("models", "add", os.path.join(VOICES, "af_small.onnx"), "--language", "en-US", "--id", "guest", "--name", "Wren")
                for way in [self._speech, self._play]:
                    self._try(way, "Wren", dice, "guest")
                self._command("models", "remove", "Wren")
                self.guests += 1
            except Lost as fault:
                with self.lock:
                    self.lost.append(f"adding or removing a voice: {fault}")
                self.isOver.wait(1)

    # MARK: Measurements

    def _measure(self):
        while not self.isOver.wait(0.5):
            pid = self.service.process.pid
            sample = {"service": memory(pid), "descriptors": entries(pid, "fd"), "threads": entries(pid, "task")}
            for engine in self.service.engines():
                name = named(engine)
                sample[name] = sample.get(name, 0) + memory(engine)
            self.samples.append((self.share(), {name: value for name, value in sample.items() if value}))

    def quarters(self):
        """Returns the medians in each quarter of the run: the memory of each kind of process, the memory of all processes, and the counts.

        Some engines are always being restarted. Therefore, the median of an engine's memory includes only the time in which it runs, and
        the total includes the engine's median of the entire run instead. The memory of a single engine has several typical values, one
        for each number of loaded models, so its median can change without a leak."""
        names = sorted({name for _, sample in self.samples for name in sample})

        def medians(samples):
            return {name: statistics.median(values) if (values := [sample[name] for sample in samples if name in sample]) else 0
                    for name in names}

        usual = medians([sample for _, sample in self.samples])
        quarters = []
        for quarter in range(4):
            samples = [sample for share, sample in self.samples if quarter <= min(3.999, share * 4) < quarter + 1]
            total = [sum(sample.get(name, usual[name]) for name in names if name not in COUNTED) for sample in samples]
            quarters.append(medians(samples) | {"all": statistics.median(total) if total else 0})
        return quarters

    def report(self):
        medians = self.quarters()
        kinds = [name for name in medians[0] if name not in COUNTED]
        print(f"{self.spoken} utterances in {self.took:.0f} s with {len(self.voices)} voices; {self.faults['SIGKILL']} engines killed, "
              f"{self.faults['SIGSTOP']} stopped; a voice was added and removed {self.guests} times; "
              f"{self.refused} responses and files failed; {len(self.lost)} lost")
        for kind in kinds:
            print(f"  {kind:12}" + "".join(f"{quarter[kind] / MEGABYTE:9.1f} MB" for quarter in medians))
        for name in COUNTED:
            print(f"  {name:12}" + "".join(f"{quarter[name]:12.0f}" for quarter in medians))
        faults = self.lost[:20]
        if self.refused > CLIENTS * self.faults.total():
            faults.append("more responses and files failed than the faults can explain")
        if self.spoken >= MEASURABLE:
            second, last = medians[1]["all"], medians[3]["all"]
            if last - second > max(second * 0.02, 4 * MEGABYTE):
                faults.append(f"memory grew from {second / MEGABYTE:.1f} to {last / MEGABYTE:.1f} MB")
            # Each client may have a connection or a file open, and each engine a few.
            faults += [
                f"the {name} grew from {medians[1][name]:.0f} to {medians[3][name]:.0f}"
                for name in COUNTED if medians[3][name] > medians[1][name] + CLIENTS]
        return faults


def memory(pid):
    """Returns the proportional set size of a process in bytes, or 0 if the process has exited."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
    except OSError:
        return 0


def entries(pid, folder):
    try:
        return len(os.listdir(f"/proc/{pid}/{folder}"))
    except OSError:
        return 0


def named(pid):
    """Returns the name of the engine that a process has loaded."""
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            found = re.search(r"lib(\w+)\.so", file.read())
            return found.group(1) if found else "starting"
    except OSError:
        return "starting"


def main():
    amount, seed = sys.argv[1], int(sys.argv[2])
    isTime = amount.endswith("s")
    soak = Soak(None if isTime else int(amount), float(amount[:-1]) if isTime else None, seed)
    soak.run()
    if faults := soak.report():
        sys.exit("\n".join(["Faults:", *faults]))


main()
