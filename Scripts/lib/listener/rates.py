"""Measures the duration of a text at each rate, for each engine and each way of setting a rate."""

import json
import math
import os
import subprocess
import urllib.request

from clients.programs import BUILT
from clients.service import Service
from listener import voices
from listener.host import Host
from listener.sound import Sound

RATES = [0.5, 0.75, 1.25, 1.5, 2, 3, 4]
# The relative tolerance of the measured rate, which includes pauses.
TOLERANCE = 0.03
TEXT = (
    "The library opened at nine, and a few people were already waiting outside. Most of them wanted newspapers; one wanted an "
    "old map of the harbour, drawn in ink. The librarian knew where it was. She fetched it, unrolled it on the long table, and "
    "left. Nobody spoke for a while. Then a boy asked whether the lighthouse was still standing, and an old man laughed: it had "
    "fallen into the sea before either of them was born.")
# The options that select a voice, and that make all runs generate the same audio.
CHOICES = {
    "espeak-ng": ["-e", "espeak-ng", "-l", "en-US"], "Tone": ["-v", "Sine"],
    "Joe": ["-v", "Joe", "--yes", "--variation", "0"], "Heart": ["-v", "Heart Small", "--yes"], "Alpha": ["-v", "Alpha"]}


def command(host, choice):
    """Returns a function that measures the duration in seconds at a rate, with `speak -r`."""
    def seconds(rate):
        path = host.home.file("rate.wav")
        host.run("speak", *choice, "-r", str(rate), TEXT, "-o", path)
        return Sound(path).seconds
    return seconds


def script(host, choice):
    """Returns a function that measures the duration in seconds at a rate, with SSML."""
    def seconds(rate):
        path = host.home.file("rate.wav")
        text = f'<speak><prosody rate="{rate:.0%}">{TEXT}</prosody></speak>'
        host.run("speak", *choice, "--ssml", text, "-o", path)
        return Sound(path).seconds
    return seconds


def web(service, voice):
    """Returns a function that measures the duration in seconds at a rate, with the `speed` of OpenAI's API."""
    def seconds(rate):
        order = {"model": "tts-1", "voice": voice, "input": TEXT, "speed": rate, "response_format": "pcm"}
        request = urllib.request.Request(
            f"{service.address}/v1/audio/speech", json.dumps(order).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return len(answer.read()) / 2 / 24_000
    return seconds


class Module:
    """speech-dispatcher's module, started the way its server starts it."""

    def __init__(self, home, voice):
        self._process = subprocess.Popen(
            [os.path.join(BUILT, "sd_synthhost")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=home.environment)
        self._ask("INIT")
        self._ask("AUDIO", "audio_output_method=server")
        self._ask("SET", f"synthesis_voice={voice}")

    def close(self):
        self._ask("QUIT")
        self._process.communicate()

    def _line(self):
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("the module exited")
        return line

    def _ask(self, command, block=None):
        for lines in [command] if block is None else [command, block + "\n."]:
            self._process.stdin.write(f"{lines}\n".encode())
            self._process.stdin.flush()
            while self._line()[3:4] != b" ":
                pass

    def seconds(self, rate):
        """Returns the duration in seconds at a factor that the server can request."""
        self._ask("SET", f"rate={place(rate)}")
        self._ask("SPEAK", f"<speak>{TEXT}</speak>")
        frames, frequency = 0, 1
        while not (line := self._line()).startswith((b"702 ", b"703 ", b"704 ")):
            if line.startswith(b"705-num_samples="):
                frames += int(line.split(b"=")[1])
            if line.startswith(b"705-sample_rate="):
                frequency = int(line.split(b"=")[1])
        return frames / frequency


def place(rate):
    """Returns the server's number for a factor, as converted by `ModuleSettings.rateFactor`."""
    return round(math.log2(rate) * (100 if rate < 1 else 50))


def factor(rate):
    """Returns the factor that the server's rounded number represents."""
    number = place(rate)
    return 2 ** (number / (100 if number < 0 else 50))


def row(name, seconds, exact=lambda rate: rate):
    """Prints the results for one way of setting the rate. Returns the largest deviation."""
    # The first utterance may not use the optimized model yet.
    seconds(1)
    usual = seconds(1)
    cells, worst = [], 0
    for rate in RATES:
        reached = usual / seconds(rate)
        deviation = reached / exact(rate) - 1
        worst = max(worst, abs(deviation))
        cells.append(f"{reached:.3f} {deviation:+.1%}")
    print(f"{name:26} {usual:6.2f} s  " + "  ".join(f"{cell:>13}" for cell in cells), flush=True)
    return worst


def run(names):
    """Prints the table. Returns whether every rate is within the tolerance."""
    worst = []
    with Host() as host:
        print(f"{'':26} {'at 1':>8}  " + "  ".join(f"{f'{rate}':>13}" for rate in RATES))
        for name in names:
            if name == "Joe":
                voices.joe()
            if name == "Heart":
                voices.small()
            if name == "Alpha":
                voices.kokoro()
                voices.lay(host.home.file("kokoro"))
                host.add_kokoro(host.home.file("kokoro"), voices.STYLE)
            worst.append(row(f"{name}, speak -r", command(host, CHOICES[name])))
            worst.append(row(f"{name}, SSML", script(host, CHOICES[name])))
        service = Service("--http", "127.0.0.1:0", home=host.home)
        for name, voice in (("espeak-ng", "English (America)"), ("Joe", "Joe"), ("Heart", "Heart Small")):
            if name not in names:
                continue
            worst.append(row(f"{name}, HTTP speed", web(service, voice)))
            module = Module(host.home, voice.replace(" ", "_"))
            worst.append(row(f"{name}, speech-dispatcher", module.seconds, factor))
            module.close()
        service.stop()
    return max(worst) <= TOLERANCE
