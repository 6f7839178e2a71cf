"""Compares Whisper's published weights in synthhost with the same weights in faster-whisper, and with pocketsphinx: error rates on
a published voice's speech, clean and in noise, processor time, and memory."""

import json
import os
import shutil
import subprocess
import sys
import threading
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
# The pause after each sentence, in seconds.
PAUSE = 0.4
# The signal-to-noise ratio in decibels.
ABOVE = 10
OURS, FASTER, SPHINX = "synthhost", "faster-whisper", "pocketsphinx"
PEERS = {"pocketsphinx": "5.1.1"}
# The silence that ends microphone speech, and the duration of one read, in seconds.
SILENCE, STEP = 1, 0.02
# The interval between memory readings in seconds.
LOOK = 0.02


def rows(model):
    """Transcribes the same two files with each program, one at a time."""
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
        # The first run creates the cached form of the model.
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
        live = {OURS: _live(host), SPHINX: _lives_of_sphinx()}
    return found, live


def table(model):
    found, live = rows(model)
    names = [OURS, FASTER, SPHINX]
    lines = [f"{SENTENCES} sentences by Joe, Whisper {model}", f"{'':52}" + "".join(f"{name:>16}" for name in names)]
    for what in ("clean", "noise"):
        for label, key, digits in (
                (f"{what}: word error rate (%)", "errors", 1), ("  real-time factor", "factor", 3),
                ("  processor seconds per second of audio", "processor", 3), ("  peak memory of all processes (MB)", "peak", 0)):
            lines.append(f"{label:52}" + "".join(f"{found[f'{name} {what}'][key]:>16.{digits}f}" for name in names))
    for label, key in (
            ("microphone: start of speech to first words (s)", "partial"),
            (f"  delay of the end after {SILENCE} s of silence (s)", "end"), ("  end to final text (s)", "text")):
        cells = [f"{live[name][key]:>16.2f}" if key in live.get(name, {}) else f"{'':16}" for name in names]
        lines.append(f"{label:52}" + "".join(cells))
    return {**found, "live": live}, "\n".join(lines)


def _peer():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "listening_peer.py")


def export(model):
    """Returns the folder with the weights' graphs, which are created once."""
    target = os.path.join(FOLDER, f"whisper-{model}")
    if not os.path.exists(target):
        script = os.path.join(ROOT, "Scripts", "lib", "listener", "whisper_onnx.py")
        shutil.rmtree(target + ".new", ignore_errors=True)
        subprocess.run([packages.PYTHON, script, hearing.model(model), target + ".new", "--cross"], check=True)
        os.rename(target + ".new", target)
    return target


def _sounds(host, texts):
    """Returns a file of all sentences with pauses, clean and with pink noise, at 16 kHz."""
    paths = {what: os.path.join(FOLDER, f"{what}-{SENTENCES}.wav") for what in ("clean", "noise")}
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


def _spoken():
    """Returns the first 7 s of the clean recording, which contain three sentences, as 16-bit samples."""
    with wave.open(os.path.join(FOLDER, f"clean-{SENTENCES}.wav")) as file:
        return file.readframes(7 * file.getframerate())


def pace(sound, write):
    """Writes a second of silence, the audio, and endless silence in real time, until `write` returns false.

    Returns when the audio started and ended."""
    step = 2 * int(STEP * 16_000)
    pieces = [bytes(step)] * int(1 / STEP) + [sound[place:place + step] for place in range(0, len(sound), step)]
    start = time.monotonic()
    moments = []
    number = 0
    while True:
        piece = pieces[number] if number < len(pieces) else bytes(step)
        moments.append(time.monotonic())
        if not write(piece):
            break
        number += 1
        time.sleep(max(0, start + number * STEP - time.monotonic()))
    loud = [at for at, piece in zip(moments, pieces) if max(map(abs, memoryview(piece).cast("h"))) > 1000]
    return loud[0], loud[-1]


def _live(host):
    """Transcribes live audio through ALSA."""
    pipe = host.home.file("microphone")
    os.mkfifo(pipe)
    with open(host.home.file("asound.conf"), "w") as file:
        file.write(
            f'pcm.ear {{ type file slave.pcm {{ type null }} file "/dev/null" infile "{pipe}" format raw }}\n'
            "pcm.mic { type plug slave { pcm ear format S16_LE channels 1 rate 16000 } }\n")
    environment = {**host.home.environment, "ALSA_CONFIG_PATH": host.home.file("asound.conf")}
    child = subprocess.Popen(
        [PROGRAM, "listen", "-d", "mic", "-m", "bench", "-l", "en", "--json", "--silence", str(SILENCE)], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    told = {}

    def read():
        for line in child.stdout:
            event = json.loads(line)
            for key in (event.get("state"), "partial" if "partial" in event else None, "ended" if "ended" in event else None):
                told.setdefault(key, time.monotonic())

    reader = threading.Thread(target=read)
    reader.start()
    # The program first opens the microphone only to check it. The pipe survives that because both of its ends are open here.
    with open(os.open(pipe, os.O_RDWR), "wb", buffering=0) as file:
        def write(piece):
            file.write(piece)
            return "understanding" not in told and child.poll() is None

        while "listening" not in told and child.poll() is None:
            time.sleep(STEP)
        if child.poll() is not None:
            sys.exit("The recognizer exited before it listened.")
        begin, end = pace(_spoken(), write)
    reader.join()
    if child.wait() or "partial" not in told:
        sys.exit("The recognizer returned no text.")
    return {
        "partial": told["partial"] - begin, "end": told["understanding"] - end - SILENCE,
        "text": told["ended"] - told["understanding"]}


def _lives_of_sphinx():
    done = subprocess.run(
        [packages.PYTHON, _peer(), "live"], input=_spoken(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)


def _seconds(path):
    with wave.open(path) as file:
        return file.getnframes() / file.getframerate()


def _run(command, environment):
    """Returns seconds, processor seconds, the peak memory of all processes together, and the output."""
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
    """Returns the word error rate as a percentage."""
    wanted, found = hearing.ask("normal", [" ".join(texts), " ".join(heard.split())])
    return 100 * distance(wanted.split(), found.split()) / len(wanted.split())
