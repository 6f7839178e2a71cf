"""Creates a table row: synthhost's result for a graph, compared with ONNX Runtime alone."""

import os
import re
import statistics
import subprocess
import sys

from bench.speakers import Resident
from graphs import texts
from graphs.host import Host, Refused
from graphs.packages import FOLDER, PYTHON, environment

TURNS = 3
KIND = {"kokoro": ("kokoro", 24_000), "joe": ("piper", 22_050)}
STYLE = os.path.join(FOLDER, texts.STYLE)


def path_of(name):
    return os.path.join(FOLDER, name + ".onnx")


def make(name, recipe):
    """Creates the graph unless it exists. Returns the reason if it cannot be created, or else None."""
    if os.path.exists(path_of(name)):
        return None
    if not os.path.exists(path_of(recipe.source)):
        return f"{recipe.source} was not created"
    print(f"Creating {name}", file=sys.stderr)
    new = os.path.join(FOLDER, "new.onnx")
    done = subprocess.run(
        [PYTHON, "-m", "graphs.derive", name, path_of(recipe.source), new], env=environment(), capture_output=True, text=True,
        errors="replace")
    if done.returncode == 0:
        os.rename(new, path_of(name))
        return None
    return _last(done)


def refusal(name):
    """Returns why ONNX Runtime cannot open or run a graph, or None if it can."""
    code = "import sys; from graphs.runs import *; session(sys.argv[1]).run(None, example(sys.argv[1]))"
    done = subprocess.run([PYTHON, "-c", code, path_of(name)], env=environment(), capture_output=True, text=True, errors="replace")
    return None if done.returncode == 0 else _last(done)


def _last(done):
    """Returns the last line of a program's output without the error's name and the folder, or else its exit status."""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    if not lines:
        return f"it exited with {done.returncode}"
    said = re.sub(r"^[\w.]+: (\[ONNXRuntimeError\] : \d+ : \w+ : )?", "", lines[-1].replace(FOLDER + os.sep, ""))
    return said[:300]


def measure(name):
    """Returns the measurements of a graph that ONNX Runtime can run. Raises `Refused`."""
    kind, rate = KIND[name.split("-")[0]]
    companions = {"style": STYLE} if kind == "kokoro" else {"config": path_of("joe") + ".json"}
    host = Host(kind, path_of(name), companions)
    try:
        sound, note, ids = host.speak(host.ours)
        if len(ids) != 1:
            raise Refused("the text needs more than one run of the model")
        row = {"note": note, "cache": host.cache_size(), "likeness": _likeness(host, sound, rate)}
        return row | _speeds(host, name, ids[0], rate)
    finally:
        host.close()


def _likeness(host, sound, rate):
    try:
        published, _, _ = host.speak(host.published)
    except Refused as refused:
        return f"as published: {refused}"
    done = subprocess.run(
        [PYTHON, "-m", "graphs.sounds", sound, published, str(rate)], env=environment(), check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _speeds(host, name, ids, rate):
    samples = host.home.file("alone.raw")
    ours, alone = host.resident(), Resident([PYTHON, "-m", "graphs.alone", path_of(name), STYLE, samples], environment())
    try:
        return _turns({"ours": (ours, texts.TEXT), "alone": (alone, ids)}, rate)
    finally:
        for program in (ours, alone):
            program.child.kill()
            program.child.wait()


def _turns(programs, rate):
    """Measures the programs in rounds, the first of which is a warm-up. Results are in seconds per second of audio."""
    found = {which: [] for which in programs}
    for turn in range(TURNS + 1):
        for which, (program, text) in programs.items():
            value = program.speak(text)
            if turn > 0:
                found[which].append(value)
    # Use the length of the model's audio, because synthhost trims silence from both ends.
    sound = statistics.median(value["frames"] for value in found["alone"]) / rate
    row = {}
    for which, (program, _) in programs.items():
        row[which] = {key: statistics.median(value[key] for value in found[which]) / 1e3 / sound for key in ("whole", "cpu")}
        row[which]["peak"] = program.memory("VmHWM")
    return row
