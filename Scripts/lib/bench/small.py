"""Compares a small voice with hibari-tts on the same graph, piper-tts, and synthhost's other engines, which take turns."""

import http.client
import json
import os
import subprocess
import sys
import time

from bench import aims, over_http, peers, texts
from bench.measuring import PROGRAM, Folders, turns
from bench.speakers import Command, Resident, ResidentHost
from listener import voices

OURS, JOE, KOKORO, ESPEAK = "synthhost", "synthhost, Joe", "synthhost, Kokoro", "synthhost, espeak-ng"
HIBARI, PIPER, ESPEAK_ALONE = "hibari-tts", "piper-tts", "espeak-ng"
ORDER = [OURS, HIBARI, JOE, PIPER, KOKORO, ESPEAK, ESPEAK_ALONE]
PARTS = ["open", "new", "long", "memory"]
BUTTON = "Button."
SENTENCES = 200
# The sample rate.
RATE = 24_000
# The pause before a warm measurement in seconds.
PAUSE = 0.3
# The output names in graphs of this family, as encoded in the file, with their lengths.
OUTPUTS = [b"\x0a" + bytes([len(name)]) + name for name in (b"lh", b"theta", b"ln", b"lr", b"phi", b"f0")]


def is_small(path):
    """Returns whether the file is the graph of a small voice."""
    with open(path, "rb") as file:
        content = file.read()
    return all(name in content for name in OUTPUTS)


class Connection:
    """A connection to a service, on which texts are spoken in sequence."""

    def __init__(self, port, voice):
        self._voice = voice
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=over_http.LIMIT)

    def speak(self, text):
        """Returns the milliseconds to the first audio and to the end, and the number of frames."""
        order = json.dumps({"model": "tts-1", "voice": self._voice, "input": text, "response_format": "pcm"})
        start, first, size = time.perf_counter(), None, 0
        self._connection.request("POST", "/v1/audio/speech", order, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        while piece := answer.read1(1 << 16):
            first = first or time.perf_counter()
            size += len(piece)
        if answer.status != 200 or first is None:
            sys.exit(f"synthhost serve answered with {answer.status} for {self._voice}")
        return {"first": (first - start) * 1e3, "whole": (time.perf_counter() - start) * 1e3, "frames": size // 2}

    def close(self):
        self._connection.close()


class Bench:
    def __init__(self, arguments):
        self.model = os.path.abspath(arguments.model)
        self.with_peers = not (arguments.quick or arguments.no_peers)
        self.runs = 2 if arguments.quick else arguments.runs or 9
        self.sentences = 6 if arguments.quick else SENTENCES
        self.words = 200 if arguments.quick else 3000
        self.parts = arguments.parts.split(",") if arguments.parts else PARTS
        self.folders = Folders()
        self.rows = []

    def run(self):
        try:
            self._prepare()
            for part in self.parts:
                print(f"Measuring: {part}", file=sys.stderr)
                getattr(self, f"_{part}")()
        finally:
            self.folders.remove()
        version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip()
        return {"model": self.model, "bytes": os.path.getsize(self.model), "kind": "hibari", "threads": os.cpu_count(),
                "runs": self.runs, "sentences": self.sentences, "forms": {},
                "versions": {"synthhost": version, **(peers.versions() if self.with_peers else {})},
                "rows": self.rows, "aims": aims.judge("hibari", self.rows, OURS)}

    def _prepare(self):
        """Adds the voices and makes each one speak once, because some engines create a faster form of the model when it is first used."""
        self.voices = {OURS: ("hibari", "Bench"), ESPEAK: ("espeak-ng", "English (America)")}
        self._add(self.model, "hibari", "Bench", "--language", "en-US")
        self.stay = {}
        if self.with_peers:
            peers.prepare()
            voices.joe()
            voices.kokoro()
            self.voices |= {JOE: ("piper", "Joe"), KOKORO: ("kokoro", "Alpha")}
            self._add(voices.JOE_FILE, "piper", "Joe")
            folder = self.folders.file("kokoro")
            voices.lay(folder)
            self._add(folder, "kokoro", "Alpha", "--id", voices.STYLE, "--language", "en-US")
            resident = os.path.join(os.path.dirname(os.path.abspath(__file__)), "resident.py")
            self.stay = {
                HIBARI: [peers.PYTHON, resident, "hibari", self.model],
                PIPER: [peers.PYTHON, resident, "piper", voices.JOE_FILE]}
        for name in self.voices:
            Command(lambda text, name=name: (self._speak(name, text), None), self.folders.environment).run(BUTTON)

    def _add(self, path, engine, name, *more):
        subprocess.run(
            [PROGRAM, "models", "add", path, "--engine", engine, "--name", name, "-q", *more], check=True,
            env=self.folders.environment)

    def _speak(self, name, *text):
        engine, voice = self.voices[name]
        return [PROGRAM, "speak", "-q", "-e", engine, "-v", voice, "--raw", "-o", "-", *text]

    def _serving(self):
        return over_http.ours("tts-1", self.folders.environment, self.folders.file("run"))

    # MARK: Measurements

    def _row(self, what, unit, values, digits=0):
        values = {name: [round(v, digits + 2) for v in found] for name, found in values.items() if found}
        self.rows.append({"what": what, "unit": unit, "digits": digits, "values": values})

    def _turns(self, programs, text):
        def speak(program):
            # Wait until the threads of the previous program have stopped spinning, because they would slow down this one.
            time.sleep(PAUSE)
            return program.speak(text)

        return turns(self.runs, **{name: lambda program=program: speak(program) for name, program in programs.items()})

    def _open(self):
        """Measures loaded voices: synthhost's voices in a service, with one connection each, and the peers in resident processes."""
        service = self._serving()
        programs = {name: Connection(service.port, voice) for name, (_, voice) in self.voices.items()}
        programs |= {name: Resident(command, self.folders.environment) for name, command in self.stay.items()}
        given = {'"button"': BUTTON, "11 words": texts.SHORT, "42 words": texts.SENTENCE}
        for what, text in given.items():
            found = self._turns(programs, text)
            self._row(f"loaded: {what}, first audio", "ms", _each(found, "first"), 1)
            self._row(f"loaded: {what}, complete", "ms", _each(found, "whole"), 1)
        # Skip Kokoro, which would take most of the time.
        programs.pop(KOKORO, None)
        found = self._turns(programs, texts.PARAGRAPH)
        self._row("loaded: 120 words, real-time factor", "", {
            name: [one["whole"] / 1e3 / (one["frames"] / self._rate(name)) for one in told] for name, told in found.items()}, 4)
        for program in programs.values():
            program.close()
        service.close()

    def _rate(self, name):
        # piper-tts outputs the sample rate of its voice. Our service uses the sample rate of OpenAI's API.
        return 22_050 if name == PIPER else RATE

    def _new(self):
        """Measures a new process for each text."""
        service = self._serving()
        alone, through = self.folders.environment, {**self.folders.environment, "XDG_RUNTIME_DIR": self.folders.file("run")}
        command = lambda name, environment: Command(
            lambda text: (self._speak(name, text), None), environment, first=bool)
        is_first = lambda data: b'"first"' in data
        cold = {name: command(name, alone) for name in self.voices} | {
            name: Command(lambda text, stay=stay: (stay, text.encode() + b"\n"), alone, first=is_first)
            for name, stay in self.stay.items()}
        cold[ESPEAK_ALONE] = Command(lambda text: (["espeak-ng", "-v", "en-us", "--stdout", text], None), alone, first=bool)
        warm = {name: command(name, through) for name in self.voices}
        for what, commands in (("through a service", warm), ("no service", cold)):
            found = turns(self.runs, **{
                name: lambda one=one: (time.sleep(PAUSE), one.run(BUTTON))[1] for name, one in commands.items()})
            self._row(f'new process, {what}: "button", first audio', "ms", _each(found, "first", 1e3), 1)
        service.close()

    def _long(self):
        """Measures a text of thousands of words that is written to a file, with all processors and with one."""
        path, text = self.folders.file("long.txt"), texts.long(self.words)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        sound = self.folders.file("long.raw")
        ours = [*self._speak(OURS)[:-1], sound, "-f", path]

        def speak(*before):
            done = Command(lambda _: ([*before, *ours], None), self.folders.environment).run("")
            return {"whole": done["whole"], "cpu": done["cpu"], "sound": os.path.getsize(sound) / 2 / RATE}

        def stay():
            program = Resident(self.stay[HIBARI], self.folders.environment)
            told = program.speak(text.replace("\n", " "))
            program.close()
            return {"whole": told["whole"] / 1e3, "cpu": told["cpu"] / 1e3, "sound": told["frames"] / RATE}

        measures = {"all": speak, "one": lambda: speak("taskset", "-c", "0")}
        found = turns(max(1, self.runs // 3), **measures, **({HIBARI: stay} if self.stay else {}))
        factor = lambda name, key="whole": [one[key] / one["sound"] for one in found[name]]
        theirs = {HIBARI: factor(HIBARI)} if self.stay else {}
        self._row(f"a text of {len(text.split())} words into a file", "s", {
            OURS: [one["whole"] for one in found["all"]], **{name: [one["whole"] for one in found[name]] for name in theirs}}, 2)
        self._row("  real-time factor, two lanes", "", {OURS: factor("all"), **theirs}, 4)
        self._row("  real-time factor, on one processor", "", {OURS: factor("one"), **theirs}, 4)
        self._row("  processor seconds per second of audio", "", {
            OURS: factor("all", "cpu"), **{name: factor(name, "cpu") for name in theirs}}, 4)

    def _memory(self):
        """Measures the peak memory of the largest process after many different sentences, one process at a time."""
        loaded, after = {}, {}
        makers = {name: lambda name=name: ResidentHost([*self._speak(name), "-f", "-"], self.folders.environment)
                  for name in self.voices if name in (OURS, JOE)}
        makers |= {name: lambda stay=stay: Resident(stay, self.folders.environment) for name, stay in self.stay.items()}
        for name, make in makers.items():
            program = make()
            loaded[name] = [program.loaded_memory / 1e6]
            for text in texts.different(self.sentences):
                program.speak(text)
            after[name] = [program.memory() / 1e6]
            program.close()
        self._row("memory after load, largest process", "MB", loaded)
        self._row(f"  after {self.sentences} sentences", "MB", after)


def _each(found, key, factor=1):
    return {name: [one[key] * factor for one in told] for name, told in found.items()}
