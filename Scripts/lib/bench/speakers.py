"""The measured programs with a common interface: a command that speaks a text from a cold start, and a process that stays loaded and speaks
texts in sequence."""

import json
import os
import re
import selectors
import subprocess
import sys
import time

from bench import peers, process
from bench.measuring import PROGRAM, ROOT

# Silence that is added by a host and is not part of the model's output.
SILENCE = re.compile(rb"(?:\0\0){1500,}")
TIME_LIMIT = 600


class Command:
    """A new process for each text. `first` detects the first audio in its output."""

    def __init__(self, command, environment, *, first=None, ready=lambda: None):
        self.command, self.environment, self.first, self.ready = command, environment, first, ready

    def run(self, text):
        """Returns the seconds to the first audio (if the program outputs it before its end) and to the end, the processor seconds, and the
        memory in bytes."""
        self.ready()
        command, stdin = self.command(text)
        start = time.perf_counter()
        child = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE if not self.first else subprocess.DEVNULL)
        if stdin:
            child.stdin.write(stdin)
            child.stdin.close()
        first, peak, used, looked = None, 0, 0.0, 0.0
        output = child.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while True:
                if selector.select(0.02):
                    data = os.read(output, 1 << 16)
                    if not data:
                        break
                    if first is None and self.first and self.first(data):
                        first = time.perf_counter() - start
                if time.perf_counter() - looked > 0.02:
                    # The values include child processes, some of which may outlive the process itself.
                    peak, used = max(peak, process.memory(child.pid, "VmHWM")), max(used, process.processor(child.pid))
                    looked = time.perf_counter()
        errors = child.stderr.read().decode(errors="replace") if child.stderr else ""
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        whole = time.perf_counter() - start
        if child.returncode != 0:
            sys.exit(f"{' '.join(command)[:300]} failed: {errors[-500:]}")
        return {"first": first or whole, "whole": whole, "cpu": max(used, usage.ru_utime + usage.ru_stime), "peak": peak}


class Resident:
    """A process that reports its own times, such as `resident.py` and the program from `floor.c`."""

    def __init__(self, command, environment):
        start = time.perf_counter()
        self.child = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.load = self._answer()
        self.loaded = time.perf_counter() - start
        self.loaded_memory = process.memory(self.child.pid)

    def _answer(self):
        line = self.child.stdout.readline()
        if not line:
            sys.exit(f"{' '.join(self.child.args)[:300]} exited")
        return json.loads(line)

    def speak(self, text):
        """Returns the milliseconds to the first audio and to the end, and the number of frames."""
        self.child.stdin.write(text.encode() + b"\n")
        self.child.stdin.flush()
        while "whole" not in (answer := self._answer()):
            pass
        return answer

    def memory(self, key="VmRSS"):
        return process.memory(self.child.pid, key)

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class ResidentHost:
    """synthhost, which speaks its standard input as it arrives."""

    def __init__(self, command, environment):
        start = time.perf_counter()
        self.child = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.wait_until_idle(self.child.pid, quiet=1)
        self.loaded = time.perf_counter() - start - 1
        self.loaded_memory = self.memory()

    def speak(self, text):
        """Like `Resident.speak`, but measured externally: from the last byte of the text to the last byte of the audio."""
        used = process.processor(self.child.pid)
        start = time.perf_counter()
        # A form feed ends the sentence immediately. Without it, the program would wait for more text.
        self.child.stdin.write(text.encode() + b"\f")
        self.child.stdin.flush()
        output, sound, first, last = self.child.stdout.fileno(), [], None, start
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            busy, since = process.processor(self.child.pid), start
            while True:
                if selector.select(0.05):
                    data = os.read(output, 1 << 16)
                    if not data:
                        sys.exit("synthhost exited")
                    last = since = time.perf_counter()
                    first = first or last
                    sound.append(data)
                    continue
                # The program has finished when it neither writes audio nor uses processor time.
                now = process.processor(self.child.pid)
                if now != busy:
                    busy, since = now, time.perf_counter()
                elif first and time.perf_counter() - since > 0.25:
                    break
                if time.perf_counter() - start > TIME_LIMIT:
                    sys.exit("synthhost does not finish")
        frames = len(SILENCE.sub(b"", b"".join(sound))) // 2
        return {"first": (first - start) * 1000, "whole": (last - start) * 1000, "frames": frames,
                "cpu": (process.processor(self.child.pid) - used) * 1000}

    def memory(self, key="VmRSS"):
        return process.memory(self.child.pid, key)

    def close(self):
        self.child.stdin.close()
        self.child.stdout.read()
        self.child.wait()


def floor_program(folder):
    """Compiles `floor.c` against the ONNX Runtime library that the engines use."""
    program = os.path.join(folder, "floor")
    source = os.path.join(ROOT, "Scripts", "lib", "bench", "floor.c")
    prefix = subprocess.run(
        [os.path.join(ROOT, "Scripts", "onnxruntime")], check=True, capture_output=True, text=True).stdout.strip()
    environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(prefix, "lib", "pkgconfig")}
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libonnxruntime"], env=environment, check=True, capture_output=True,
        text=True).stdout.split()
    library = next((flag[2:] for flag in flags if flag.startswith("-L")), os.path.join(prefix, "lib"))
    subprocess.run(["gcc", "-O2", source, "-o", program, *flags, f"-Wl,-rpath,{library}"], check=True)
    return program


def ids_of(text, voice, environment, is_awaited=True):
    """Returns the IDs of each run of the model for a text, as logged by the engine. If `is_awaited` is set, the first run ends at a
    clause."""
    output = "-" if is_awaited else os.devnull
    command = [PROGRAM, "speak", "--verbose", *voice, "--raw", "-o", output, "-f", "-"]
    said = subprocess.run(command, env=environment, input=text.encode(), capture_output=True)
    runs = [line.split("ids ", 1)[1] for line in said.stderr.decode().splitlines() if re.match(r"(\S+: )?ids \d", line)]
    if said.returncode != 0 or not runs:
        sys.exit(f"synthhost logged no IDs: {said.stderr.decode()[-500:]}")
    return ";".join(runs)


def tells_its_kind(model):
    """Returns whether the file ends with the metadata that sherpa-onnx requires. Published voices have none."""
    with open(model, "rb") as file:
        file.seek(max(0, os.path.getsize(model) - (1 << 16)))
        return b"model_type" in file.read()


def peer_commands(files, threads, environment):
    """Returns the commands for cold starts of the peers that support the file."""
    python, data = peers.PYTHON, peers.espeak_data()
    sherpa = os.path.join(peers.FOLDER, "bin", "sherpa-onnx-offline-tts")
    resident = os.path.join(ROOT, "Scripts", "lib", "bench", "resident.py")
    output = os.path.join(files.folder, "peer.wav")
    is_first = lambda data: b'"first"' in data
    if not files.voices:
        common = [f"--vits-model={files.model}", f"--vits-tokens={files.tokens}", f"--vits-data-dir={data}"]
        stay = {
            "piper-tts": [python, resident, "piper", files.model],
            "sherpa-onnx": [python, resident, "sherpa-piper", files.model, files.tokens, data, str(threads)],
            "streaming-vits": [python, resident, "streaming", files.model, files.tokens, files.folder, str(threads)]}
    else:
        common = [
            f"--kokoro-model={files.model}", f"--kokoro-voices={files.sherpa_voices}", f"--kokoro-tokens={files.tokens}",
            f"--kokoro-data-dir={data}", "--kokoro-lang=en-us"]
        stay = {
            "kokoro-onnx": [python, resident, "kokoro", files.model, files.voices, files.voice],
            "sherpa-onnx": [
                python, resident, "sherpa-kokoro", files.model, files.sherpa_voices, files.tokens, data, str(threads)]}
    whole = {
        "sherpa-onnx": Command(
            lambda text: ([sherpa, *common, f"--num-threads={threads}", f"--output-filename={output}", text], None),
            environment)}
    if not files.voices:
        whole["piper-tts"] = Command(
            lambda text: ([python, "-m", "piper", "-m", files.model, "-f", output], text.encode()), environment)
    first = {
        name: Command(
            lambda text, command=command: (command, text.replace("\n", " ").encode() + b"\n"), environment,
            first=is_first)
        for name, command in stay.items()}
    if not tells_its_kind(files.model):
        for commands in (first, whole, stay):
            commands.pop("sherpa-onnx", None)
    if not files.voices:
        first["piper-tts, command"] = Command(
            lambda text: ([python, "-m", "piper", "-m", files.model, "--output-raw"], text.encode()), environment,
            first=bool)
    return first, whole, stay
