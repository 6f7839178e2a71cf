"""Transcribes a long talk once without interruption, and once with the program killed repeatedly. The text must be identical and
complete."""

import difflib
import os
import random
import shutil
import subprocess
import time

from bench import novel, process
from bench.listening import export
from bench.measuring import ROOT
from listener import hearing, packages, voices
from listener.host import PROGRAM, Host

FOLDER = os.path.join(ROOT, ".build", "real-voices", "hour")
KILLS = 20
# Joe's approximate speed in words per minute.
WORDS_A_MINUTE = 165
# The interval between memory readings in seconds.
LOOK = 0.5


def run(minutes):
    packages.prepare()
    packages.exporter()
    voices.joe()
    os.makedirs(FOLDER, exist_ok=True)
    sound = os.path.join(FOLDER, f"talk-{minutes}.flac")
    chapters = novel.chapters(minutes * WORDS_A_MINUTE)
    words = " ".join(" ".join(paragraphs) for _, paragraphs in chapters).split()[:minutes * WORDS_A_MINUTE]
    with Host() as host:
        if not os.path.exists(sound):
            with open(host.home.file("talk.txt"), "w", encoding="utf-8") as file:
                file.write(" ".join(words))
            host.run("models", "pull", "Joe")
            host.run("speak", "-q", "-v", "Joe", "-f", host.home.file("talk.txt"), "-o", host.home.file("talk.flac"))
            shutil.move(host.home.file("talk.flac"), sound)
        host.run("models", "add", export(hearing.TINY), "--engine", "whisper", "--id", "hour")
        whole, seconds, memory = _whole(host, sound)
        broken, kills, rounds = _broken(host, sound, seconds)
        while kills < KILLS and seconds > 1:
            # The run ended before all kills, because the machine was busier during the first run. Kill at shorter intervals.
            seconds /= 2
            broken, kills, rounds = _broken(host, sound, seconds)
    print(f"{minutes} minutes of speech were transcribed in {seconds:.0f} s")
    first, last = (max(part) for part in (memory[:len(memory) // 4], memory[-len(memory) // 4:]))
    print(f"memory of all processes: at most {first:.0f} MB in the first quarter, {last:.0f} MB in the last")
    print(f"killed {kills} times, finished by {rounds} commands: {'the same text' if broken == whole else 'A DIFFERENT TEXT'}")
    wanted, found = (text.split() for text in hearing.ask("normal", [" ".join(words), whole], 600))
    blocks = difflib.SequenceMatcher(None, wanted, found, autojunk=False).get_opcodes()
    gone = max((block[2] - block[1] - (block[4] - block[3]) for block in blocks), default=0)
    more = max((block[4] - block[3] - (block[2] - block[1]) for block in blocks), default=0)
    print(f"the longest missing passage has {gone} words, the longest additional passage {more}")
    if broken != whole or kills < KILLS or gone > 7 or more > 7 or last > first * 1.1:
        raise SystemExit("The transcripts, the kills or the memory use are not as expected.")


def _command(sound, text):
    return [PROGRAM, "transcribe", sound, "-m", "hour", "-l", "en", "-q", "-o", text]


def _whole(host, sound):
    """Returns the text, the duration, and the memory of all processes over time."""
    text, start, memory = os.path.join(FOLDER, "whole.txt"), time.monotonic(), []
    child = subprocess.Popen(_command(sound, text), env=host.home.environment)
    while child.poll() is None:
        memory.append(process.resident(child.pid) / 1e6)
        time.sleep(LOOK)
    if child.returncode:
        raise SystemExit("The speech was not recognized.")
    with open(text, encoding="utf-8") as file:
        return file.read(), time.monotonic() - start, memory


def _broken(host, sound, seconds):
    """Returns the text, the number of kills, and the number of starts."""
    text, moments, kills, rounds = os.path.join(FOLDER, "broken.txt"), random.Random(36), 0, 0
    if os.path.exists(text):
        os.remove(text)
    while not os.path.exists(text):
        rounds += 1
        child = subprocess.Popen(_command(sound, text), env=host.home.environment)
        try:
            # Distribute the kills over the remaining work, which takes a little longer with each kill.
            child.wait(moments.uniform(0.2, 1.6) * seconds / KILLS if kills < KILLS else None)
        except subprocess.TimeoutExpired:
            child.kill()
            kills += 1
        if child.wait() > 0:
            raise SystemExit("The speech was not recognized.")
    with open(text, encoding="utf-8") as file:
        return file.read(), kills, rounds
