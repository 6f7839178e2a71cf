"""Whisper's published weights in synthhost beside the same weights in faster-whisper, and beside pocketsphinx: words heard wrongly of
published voices, clean and in noise, processor time, memory."""

import json
import os
import shutil
import subprocess
import sys
import time
import wave

import pinned
from bench import process
from bench.measuring import PROGRAM, ROOT
from listener import hearing, packages, sentences, voices
from listener.host import Host
from listener.scoring import distance

FOLDER = os.path.join(ROOT, ".build", "bench-listening")
SENTENCES = 60
# Of each sentence's end, in seconds.
PAUSE = 0.4
# Decibels that speech is above noise.
ABOVE = 10
OURS, FASTER, SPHINX = "synthhost", "faster-whisper", "pocketsphinx"
PEERS = {"pocketsphinx": "5.1.1"}
# Seconds between two looks at the memory.
LOOK = 0.02


def rows(model):
    """What each of them hears of the same two files, one after the other."""
    packages.prepare(is_long=model != hearing.TINY)
    pinned.install(packages.LISTENER, pinned.names(PEERS), form="listening")
    packages.exporter()
    voices.joe()
    os.makedirs(FOLDER, exist_ok=True)
    texts = [one.text for one in sentences.read() if one.is_plain][:SENTENCES]
    exported = export(model)
    found = {}
    with Host() as host:
        host.run("models", "pull", "Joe")
        sounds = _sounds(host, texts)
        host.run("models", "add", exported, "--engine", "whisper", "--id", "bench")
        # The first one makes the form that all others read.
        host.run("transcribe", sounds["clean"], "-m", "bench", "-l", "en", "-o", "-")
        for what, path in sounds.items():
            seconds = _seconds(path)
            for name, command, environment in (
                    (OURS, [PROGRAM, "transcribe", path, "-m", "bench", "-l", "en", "-o", "-"], host.home.environment),
                    (FASTER, [packages.PYTHON, _peer(), FASTER, hearing.model(model), path], os.environ),
                    (SPHINX, [packages.PYTHON, _peer(), SPHINX, "", path], os.environ)):
                made = _run(command, environment)
                found[f"{name} {what}"] = {
                    "errors": _errors(texts, made.pop("text")), "sound": seconds, "factor": made["seconds"] / seconds,
                    "processor": made["cpu"] / seconds, "peak": made["peak"]}
    return found


def table(model):
    found = rows(model)
    names = [OURS, FASTER, SPHINX]
    lines = [f"{SENTENCES} sentences by Joe, Whisper {model}", f"{'':52}" + "".join(f"{name:>16}" for name in names)]
    for what in ("clean", "noise"):
        for label, key, digits in (
                (f"{what}: words heard wrongly, of 100", "errors", 1), ("  seconds for a second of sound", "factor", 3),
                ("  processor seconds for a second of sound", "processor", 3), ("  peak memory of all processes (MB)", "peak", 0)):
            lines.append(f"{label:52}" + "".join(f"{found[f'{name} {what}'][key]:>16.{digits}f}" for name in names))
    return found, "\n".join(lines)


def _peer():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "listening_peer.py")


def export(model):
    """The graphs of the weights, made once."""
    target = os.path.join(FOLDER, f"whisper-{model}")
    if not os.path.exists(target):
        script = os.path.join(ROOT, "Scripts", "lib", "listener", "whisper_onnx.py")
        shutil.rmtree(target + ".new", ignore_errors=True)
        subprocess.run([packages.PYTHON, script, hearing.model(model), target + ".new", "--cross"], check=True)
        os.rename(target + ".new", target)
    return target


def _sounds(host, texts):
    """One file of all sentences with pauses, as it is, and with pink noise; 16 kHz."""
    paths = {what: os.path.join(FOLDER, f"{what}.wav") for what in ("clean", "noise")}
    if all(map(os.path.exists, paths.values())):
        return paths
    parts = []
    for number, text in enumerate(texts):
        path = host.home.file(f"{number}.wav")
        host.run("speak", "-q", "-v", "Joe", "--variation", "0", text, "-o", path)
        parts.append(path)
    given = {"parts": parts, "paths": paths, "pause": PAUSE, "above": ABOVE}
    subprocess.run([packages.PYTHON, _peer(), "mix"], input=json.dumps(given).encode(), check=True)
    return paths


def _seconds(path):
    with wave.open(path) as file:
        return file.getnframes() / file.getframerate()


def _run(command, environment):
    """Seconds, processor seconds, the most memory that all its processes had together, and what it printed."""
    start, peak, used = time.perf_counter(), 0, 0.0
    printed = os.path.join(FOLDER, "printed.txt")
    with open(printed, "wb") as file:
        child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=file)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            peak = max(peak, process.resident(child.pid))
            used = max(used, process.processor(child.pid))
            time.sleep(LOOK)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)[:300]} failed.")
    with open(printed, encoding="utf-8") as file:
        text = file.read()
    return {
        "seconds": time.perf_counter() - start, "cpu": max(used, usage.ru_utime + usage.ru_stime), "peak": peak / 1e6,
        "text": text}


def _errors(texts, heard):
    """Words heard wrongly, of a hundred."""
    wanted, found = hearing.ask("normal", [" ".join(texts), " ".join(heard.split())])
    return 100 * distance(wanted.split(), found.split()) / len(wanted.split())
