"""Measures the neural engines with a model file: synthhost, ONNX Runtime alone on the same IDs, and the peers, which take turns."""

import json
import os
import shutil
import subprocess
import sys
import time

from bench import aims, forms, over_http, peers, small, tables, texts
from bench.measuring import PROGRAM, Folders, turns
from bench.service import Service
from bench.speakers import Command, Resident, ResidentHost, floor_program, ids_of, peer_commands
from bench.stages import STAGES, stages

ORT = "ORT"

# The pause before a warm measurement in seconds.
PAUSE = 0.3
PARTS = ["cold", "stages", "paragraph", "warm", "service", "http", "growth", "long"]


class Bench:
    def __init__(self, arguments):
        self.model = os.path.abspath(arguments.model)
        self.voices = arguments.voices and os.path.abspath(arguments.voices)
        self.kind = "kokoro" if self.voices else "piper"
        self.quick = arguments.quick
        self.with_peers = not (arguments.quick or arguments.no_peers)
        self.runs = 2 if self.quick else arguments.runs or (3 if self.voices else 7)
        self.sentences = 6 if self.quick else 40 if self.voices else 200
        # The number of threads that the engines use by default.
        self.threads = min(max(os.cpu_count() or 1, 1), 4)
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
        return {"model": self.model, "bytes": os.path.getsize(self.model), "kind": self.kind, "threads": self.threads,
                "runs": self.runs, "sentences": self.sentences, "versions": self._versions(), "forms": self.told,
                "rows": self.rows,
                # The goals apply to the first form, which users get by default.
                "aims": aims.judge(self.kind, self.rows, next(iter(self.forms))) if self.with_peers else []}

    def _versions(self):
        found = {"synthhost": subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip(),
                 "onnxruntime of synthhost": self.library}
        return {**found, **(peers.versions() if self.with_peers else {})}

    # MARK: Preparation

    def _prepare(self):
        if self.with_peers:
            peers.prepare()
        self.files = peers.Files(self.model, self.voices, self.folders.path)
        self.voice = self._add()
        self.forms, self.told = forms.environments(self.folders.environment, self.folders.path, self.voice)
        self.environment = next(iter(self.forms.values()))
        self.floor = floor_program(self.folders.path)
        self.ids = {text: ids_of(text, self.voice, self.environment)
                    for text in (texts.SHORT, texts.SENTENCE, texts.PARAGRAPH)}
        self.library = self._floor_resident().load["version"]
        self.first, self.whole, self.stay = {}, {}, {}
        if self.with_peers:
            self.first, self.whole, self.stay = peer_commands(self.files, self.threads, self.environment)
        self.cached = {name: self._host_command(environment) for name, environment in self.forms.items()}
        self.uncached = {
            name: self._host_command(environment, ready=lambda environment=environment: self._forget(environment))
            for name, environment in self.forms.items()}

    def _add(self):
        """Adds the user's file as a voice with `models add`. Returns the arguments that select it."""
        given = self.model
        if self.voices:
            given = self.folders.file("bench-voice")
            os.mkdir(given)
            shutil.copyfile(self.model, os.path.join(given, "bench.onnx"))
            shutil.copyfile(self.voices, os.path.join(given, "style.npz"))
        command = [PROGRAM, "models", "add", given, "--engine", self.kind, "--name", "Bench", "-q"]
        if self.voices:
            # The ID selects the voice in the file.
            command += ["--id", self.files.voice, "--language", "en-US"]
        subprocess.run(command, env=self.folders.environment, check=True)
        if self.voices:
            shutil.rmtree(given)
        return ["-e", self.kind, "-v", "Bench"]

    def _forget(self, environment):
        """Removes the optimized graphs, but not the results of engine scans."""
        shutil.rmtree(os.path.join(environment["XDG_CACHE_HOME"], "synthhost", "engine", self.kind), ignore_errors=True)

    def _host_command(self, environment, **options):
        command = [PROGRAM, "speak", "-q", *self.voice, "--raw", "-o", "-", "-f", "-"]
        return Command(lambda text: (command, text.encode()), environment, first=bool, **options)

    def _floor_arguments(self):
        styles = [self.files.raw, str(self.files.rows)] if self.voices else []
        return [self.floor, self.model, str(self.threads), *styles]

    def _floor_resident(self):
        return Resident(self._floor_arguments(), self.environment)

    # MARK: Measurements

    def _row(self, what, unit, values, digits=0):
        values = {name: [round(v, digits + 2) for v in found] for name, found in values.items() if found}
        self.rows.append({"what": what, "unit": unit, "digits": digits, "values": values})

    def _cold(self):
        say = lambda command: lambda: command.run(texts.SHORT)
        floor = Command(
            lambda _: (self._floor_arguments(), self.ids[texts.SHORT].encode() + b"\n"), self.environment,
            first=lambda data: b'"first"' in data)
        measures = {name: say(command) for name, command in self.cached.items()}
        measures |= {f"{name}, cache absent": say(command) for name, command in self.uncached.items()}
        measures[ORT] = lambda: floor.run("")
        measures |= {f"first {name}": say(command) for name, command in self.first.items()}
        measures |= {f"whole {name}": say(command) for name, command in self.whole.items()}
        # A run without a cache creates the cache for the next run with a cache.
        found = turns(self.runs, **measures)
        pick = lambda name, key, factor=1e3: [value[key] * factor for value in found[name]]
        first = {name: pick(f"first {name}", "first") for name in self.first if "," not in name}
        for name in self.first:
            if "," in name:
                plain = name.split(",")[0]
                first[plain] = [min(pair) for pair in zip(first[plain], pick(f"first {name}", "first"))]
        for name in self.whole:
            first[name] = [min(pair) for pair in zip(first[name], pick(f"whole {name}", "first"))]
        whole = {name: pick(f"whole {name}", "whole") for name in self.whole}
        for end, what in (("", "cache present"), (", cache absent", "cache absent")):
            ours = lambda key, factor=1e3: {name: pick(name + end, key, factor) for name in self.forms}
            memory = {name: pick(f"whole {name}", "peak", 1e-6) for name in self.whole}
            self._row(f"new process, {what}: first audio", "ms", {**ours("first"), ORT: pick(ORT, "first"), **first})
            self._row("  short text, complete", "ms", {**ours("whole"), **whole})
            self._row("  peak memory, largest process", "MB", {**ours("peak", 1e-6), **memory})

    def _stages(self):
        """Measures the stages of a new process with a cache."""
        library = f"lib{self.kind.capitalize()}.so"
        measures = {
            name: lambda environment=environment: stages(self.voice, library, texts.SHORT, environment)
            for name, environment in self.forms.items()}
        found = turns(self.runs, **measures)
        self._row("new process, cache present: stages to first audio", "ms", {
            name: [sum(value.values()) for value in values] for name, values in found.items()}, 1)
        for stage in STAGES:
            self._row(f"  {stage}", "ms", {
                name: [value[stage] for value in values] for name, values in found.items()}, 1)

    def _paragraph(self):
        """Measures the peak memory of a process that speaks the paragraph."""
        say = lambda command: lambda: command.run(texts.PARAGRAPH)
        measures = {name: say(command) for name, command in self.cached.items()}
        measures |= {name: say(command) for name, command in self.first.items() if "," not in name}
        found = turns(1, **measures)
        self._row("peak memory with a paragraph, largest process", "MB", {
            name: [value["peak"] / 1e6 for value in values] for name, values in found.items()})

    def _warm(self):
        programs = {name: self._resident_host(environment) for name, environment in self.forms.items()}
        programs[ORT] = self._floor_resident()
        programs |= {name: Resident(command, self.environment) for name, command in self.stay.items()}
        given = {"short": texts.SHORT, "sentence": texts.SENTENCE, "paragraph": texts.PARAGRAPH}
        found = {}
        for kind, text in given.items():
            spoken = {name: self.ids[text] if name == ORT else text for name in programs}

            def speak(name, text):
                # Wait until the threads of the previous program have stopped spinning, because they would slow down this one.
                time.sleep(PAUSE)
                return programs[name].speak(text)

            measures = {name: lambda name=name, text=text: speak(name, text) for name, text in spoken.items()}
            found[kind] = turns(self.runs, **measures)
        for program in programs.values():
            program.close()
        rate = 24_000 if self.voices else self._rate()
        each = lambda kind, value: {
            name: [value(result) for result in results] for name, results in found[kind].items()}
        first = lambda result: result["first"]
        self._row("loaded: first audio, short text", "ms", each("short", first), 1)
        self._row(f"loaded: first audio, a sentence of {len(texts.SENTENCE.split())} words", "ms", each("sentence", first), 1)
        self._row("loaded: first audio, paragraph", "ms", each("paragraph", first), 1)
        for kind, what in (("short", "short text"), ("paragraph", "paragraph")):
            self._row(f"real-time factor, {what}", "", each(kind, lambda r: r["whole"] / 1e3 / (r["frames"] / rate)), 4)
        self._row("processor seconds per second of audio, paragraph", "", each(
            "paragraph", lambda r: r["cpu"] / 1e3 / (r["frames"] / rate)), 4)

    def _service(self):
        """Compares a new process that speaks through a service, which has loaded the voice, with processes that stay loaded."""
        with Service(self.environment, self.folders.file("run")) as service:
            through = self._host_command(service.environment)
            stay = {ORT: self._floor_resident()}
            stay |= {name: Resident(command, self.environment) for name, command in self.stay.items()}
            spoken = {name: self.ids[texts.SHORT] if name == ORT else texts.SHORT for name in stay}
            ours = next(iter(self.forms))

            def rested(speak):
                # Wait until the threads of the previous program have stopped spinning, because they would slow down this one.
                time.sleep(PAUSE)
                return speak()["first"]

            loaded = self._resident_host(self.environment)
            measures = {ours: lambda: rested(lambda: through.run(texts.SHORT)) * 1e3}
            measures["loaded"] = lambda: rested(lambda: loaded.speak(texts.SHORT))
            measures |= {
                name: lambda name=name: rested(lambda: stay[name].speak(spoken[name])) for name in stay}
            found = turns(self.runs, **measures)
            for program in [loaded, *stay.values()]:
                program.close()
        own = found.pop("loaded")
        self._row("new process through a service: first audio", "ms", found, 1)
        self._row("  minus the time of a process with a loaded voice", "ms", {
            ours: [through - loaded for through, loaded in zip(found[ours], own)]}, 1)

    def _http(self):
        """Measures HTTP services with one client and with many. Each request has a different text."""
        ours = next(iter(self.forms))
        services = {ours: over_http.ours(self.kind, self.environment, self.folders.file("run-http"))}
        if self.with_peers:
            name, service = over_http.theirs(self.files, self.environment)
            services[name] = service
        for what, unit, values, digits in over_http.rows(services, ours, self.runs, is_slow=bool(self.voices)):
            self._row(what, unit, values, digits)
        for service in services.values():
            service.close()

    def _rate(self):
        with open(self.model + ".json", encoding="utf-8") as file:
            return json.load(file)["audio"]["sample_rate"]

    def _resident_host(self, environment):
        command = [PROGRAM, "speak", "-q", *self.voice, "--raw", "-o", "-", "-f", "-"]
        return ResidentHost(command, environment)

    def _growth(self):
        """Measures the memory of one process at a time, from its start."""
        sentences = texts.different(self.sentences)
        makers = {
            name: lambda environment=environment: self._resident_host(environment)
            for name, environment in self.forms.items()}
        makers[ORT] = self._floor_resident
        makers |= {
            name: lambda command=command: Resident(command, self.environment) for name, command in self.stay.items()}
        ids = ids_of("\n\n".join(sentences), self.voice, self.environment, is_awaited=False).split(";")
        marks = sorted({1, 10, 40, 100, len(sentences)} & set(range(len(sentences) + 1)))
        memory = {mark: {} for mark in ["loaded", *marks, "peak"]}
        for name, make in makers.items():
            program = make()
            memory["loaded"][name] = [program.loaded_memory / 1e6]
            for count, text in enumerate(ids if name == ORT else sentences, 1):
                program.speak(text)
                if count in marks:
                    memory[count][name] = [program.memory() / 1e6]
            memory["peak"][name] = [program.memory("VmHWM") / 1e6]
            program.close()
        self._row("memory after load", "MB", memory["loaded"])
        for mark in marks:
            self._row(f"memory after {mark} sentences", "MB", memory[mark])
        self._row(f"  peak during {len(sentences)} sentences", "MB", memory["peak"])

    def _long(self):
        if self.voices:
            return
        text = texts.long(200 if self.quick else 3000)
        measures = {name: lambda command=command: command.run(text) for name, command in self.cached.items()}
        measures |= {name: lambda command=command: command.run(text.replace("\n\n", " ")) for name, command in
                     self.whole.items()}
        turns = [{name: measure() for name, measure in measures.items()} for _ in range(max(1, self.runs // 5))]
        found = {name: [turn[name] for turn in turns] for name in measures}
        pick = lambda key, factor=1: {name: [v[key] * factor for v in values] for name, values in found.items()}
        self._row(f"a text of {len(text.split())} words", "s", pick("whole"), 1)
        self._row("  processor time", "s", pick("cpu"), 1)
        self._row("  peak memory, largest process", "MB", pick("peak", 1e-6))


def run(arguments):
    for path in filter(None, [arguments.model, arguments.voices]):
        if not os.path.exists(path):
            sys.exit(f"{path} does not exist.")
    is_small = arguments.voices is None and small.is_small(arguments.model)
    if arguments.voices is None and not is_small and not os.path.exists(arguments.model + ".json"):
        sys.exit(f"{arguments.model}.json is missing. A Piper voice needs it; Kokoro needs --voices FILE.npz.")
    parts = small.PARTS if is_small else PARTS
    if unknown := set((arguments.parts or parts[0]).split(",")) - set(parts):
        sys.exit(f"Unknown parts: {', '.join(unknown)}. The parts are: {', '.join(parts)}.")
    result = (small.Bench if is_small else Bench)(arguments).run()
    return result, tables.neural(result)
