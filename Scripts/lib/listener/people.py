"""Measures the accuracy of recognition on recordings of people, compared with faster-whisper and the same weights in floats.

The recordings are Debian packages: telephone prompts by one professional speaker per language, with their texts
(asterisk-core-sounds-LANGUAGE; CC-BY-SA-3.0, the Russian ones CC-BY-3.0), and sentences of a novel read for LibriVox
(pocketsphinx-testdata)."""

import array
import glob
import gzip
import itertools
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import wave

from bench.listening import export
from listener import hearing, packages, voices
from listener.host import PROGRAM, Host
from listener.scoring import distance

FOLDER = os.path.join(packages.FOLDER, "people")
LANGUAGES = ("en", "fr", "es", "it", "ru")
RATE = 16_000
# The number of prompts per language in the long and the short test.
LONG, SHORT = 60, 15
# The number of words in a prompt. Shorter prompts are not meaningful.
WORDS = range(5, 25)
# The tolerance above faster-whisper's error rate, in percentage points. It corresponds to one word of 200 in the long
# test.
MARGIN = {False: 0.5, True: 2.0}
NOISE_DECIBELS = 10
# The beam width of `synthhost transcribe`.
BEAMS = 5
# The program that transcribes with other beam widths.
PROBE = os.path.join(os.path.dirname(PROGRAM), "WhisperProbe")


def run(languages, models):
    """Prints a table of word error rates as percentages. Returns whether ours are within the tolerance."""
    if not os.path.exists(PROBE):
        sys.exit("WhisperProbe is not built. To build it, type: Scripts/test --build")
    packages.prepare(is_long=True)
    packages.exporter()
    rows, good = [], True
    for model in models:
        for language in languages if model != hearing.TINY else [one for one in languages if one == "en"]:
            for noise, beam in itertools.product((False, True), (BEAMS, 1)):
                ours, theirs, words = compare(language, model, LONG, noise, beam)
                audio = "10 dB" if noise else "clean"
                rows.append(f"| {model} | {language} | {audio} | {beam} | {words} | {ours:.1f} | {theirs:.1f} |")
                print(rows[-1], flush=True)
                good = good and ours <= theirs + MARGIN[False]
    print("\n| model | language | audio | beams | words | synthhost | faster-whisper |\n|---|---|---|---|---|---|---|")
    print("\n".join(rows))
    return good


def short():
    """Returns the word error rates of synthhost and faster-whisper as percentages, for a few English prompts."""
    packages.exporter()
    return compare("en", hearing.TINY, SHORT, False, BEAMS)[:2]


def compare(language, model, count, noise, beam):
    clips = recordings(language, count, noise)
    files = [file for file, _ in clips]
    theirs = hearing.heard(model, files, language, "float32", beam)
    ours = transcribed(files, model, language) if beam == BEAMS else searched(files, model, language, beam)
    wanted = [spelled(text, language) for _, text in clips]
    words = sum(len(text) for text in wanted)

    def rate(texts):
        return 100 * sum(distance(want, got) for want, got in zip(wanted, [spelled(text, language) for text in texts])) / words

    return rate(ours), rate(theirs), words


def transcribed(files, model, language, detects=False):
    """Returns synthhost's transcripts with the model as an ONNX graph, in one run, optionally with the speech detector that
    `synthhost setup --listen` downloads with the first model."""
    with Host() as host:
        if detects:
            voices.detector()
            host.run("models", "pull", "silero-vad")
        host.run("models", "add", export(model), "--engine", "whisper", "--id", "people")
        return texts(host, files, "-m", "people", "-l", language)


def searched(files, model, language, beam):
    """Returns the transcripts of a search with this number of beams, which no option of `synthhost` can change."""
    with tempfile.TemporaryDirectory() as folder:
        sounds = []
        for number, file in enumerate(files):
            with wave.open(file) as sound:
                numbers = array.array("h", sound.readframes(sound.getnframes()))
            sounds.append(os.path.join(folder, f"{number}.f32"))
            with open(sounds[-1], "wb") as sound:
                array.array("f", (number / 32768 for number in numbers)).tofile(sound)
        done = subprocess.run(
            [PROBE, export(model), "--timed", "--beam", str(beam), "--language", language, *sounds], stdout=subprocess.PIPE,
            check=True)
    return [json.loads(line)["text"] for line in done.stdout.splitlines()]


def texts(host, files, *options):
    """Returns the transcripts of the files as lines."""
    out = tempfile.mkdtemp(dir=host.home.path)
    host.run("transcribe", *files, *options, "-q", "-o", out)
    found = []
    for file in files:
        with open(os.path.join(out, os.path.splitext(os.path.basename(file))[0] + ".txt"), encoding="utf-8") as text:
            found.append(" ".join(text.read().split()))
    return found


def spelled(text, language):
    """Returns a text's words for comparison: with Whisper's normalizer for English, otherwise without punctuation and case."""
    if language == "en":
        return hearing.ask("normal", [text])[0].split()
    return re.findall(r"\w+", text.casefold())


def recordings(language, count, noise):
    """Returns mono files with their texts: for English the novel's sentences, followed by prompts."""
    unpack(f"asterisk-core-sounds-{language}", f"asterisk-core-sounds-{language}-g722")
    texts = glob.glob(os.path.join(FOLDER, "usr/share/doc", f"asterisk-core-sounds-{language}", "*.txt.gz"))[0]
    sounds = glob.glob(os.path.join(FOLDER, "usr/share/asterisk/sounds", f"{language}_*"))[0]
    prompts = []
    for line in gzip.open(texts, "rt", encoding="utf-8", errors="replace"):
        name, _, text = line.strip().partition(":")
        sound, text = os.path.join(sounds, name.strip() + ".g722"), text.strip()
        if os.path.exists(sound) and len(text.split()) in WORDS and not re.search(r"[\[<(;]", line):
            prompts.append((sound, text))
    random.Random(7).shuffle(prompts)
    clips = prompts[:count]
    if language == "en":
        clips = novel() + clips
    return [(decoded(sound, language, noise), text) for sound, text in clips]


def novel():
    unpack("pocketsphinx-testdata")
    folder = glob.glob(os.path.join(FOLDER, "usr/share/pocketsphinx/test/data/librivox"))[0]
    with open(os.path.join(folder, "transcription"), encoding="utf-8") as file:
        lines = re.findall(r"<s> (.*?) </s> \((.*?)\)", file.read())
    return [(os.path.join(folder, name + ".wav"), text) for text, name in lines]


def decoded(sound, language, noise):
    """Returns the path of the recording at 16 kHz, optionally with noise 10 dB below the speech. The file is stored in FOLDER."""
    name = f"{language}-{os.path.splitext(os.path.basename(sound))[0]}{'-noise' if noise else ''}.wav"
    path = os.path.join(FOLDER, "clips", name)
    if os.path.exists(path):
        return path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    form = ["-f", "g722"] if sound.endswith(".g722") else []
    done = subprocess.run(
        ["ffmpeg", "-v", "error", *form, "-i", sound, "-ac", "1", "-ar", str(RATE), "-f", "s16le", "-"],
        stdout=subprocess.PIPE, check=True)
    samples = array.array("h", done.stdout)
    if noise:
        samples = noisy(samples, random.Random(name))
    with wave.open(path + ".new", "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(samples.tobytes())
    os.rename(path + ".new", path)
    return path


def pink(count, chance):
    """Returns pink noise (Paul Kellet's three-pole filter)."""
    poles, noise = [0.0, 0.0, 0.0], []
    for _ in range(count):
        white = chance.gauss(0, 1)
        poles = [0.99765 * poles[0] + 0.0990460 * white, 0.96300 * poles[1] + 0.2965164 * white, 0.57000 * poles[2] + 1.0526913 * white]
        noise.append(sum(poles) + 0.1848 * white)
    return noise


def noisy(samples, chance, decibels=NOISE_DECIBELS):
    """Adds pink noise below the signal."""
    noise = pink(len(samples), chance)

    def power(values):
        return sum(value * value for value in values) / len(values)

    gain = math.sqrt(power(samples) / power(noise) / 10 ** (decibels / 10))
    return array.array("h", [round(max(-32768, min(32767, one + gain * other))) for one, other in zip(samples, noise)])


def unpack(*names):
    """Downloads Debian packages and unpacks their files."""
    for name in names:
        mark = os.path.join(FOLDER, f"{name}.done")
        if os.path.exists(mark):
            continue
        folder = os.path.join(FOLDER, "packages", name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        # Download as root, because apt's sandbox user cannot write to this folder.
        download = ["apt-get", "-o", "APT::Sandbox::User=root", "download", "-qq", name]
        if subprocess.run(download, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            # The package lists may be missing or outdated.
            subprocess.run(["apt-get", "update", "-qq"], stdout=subprocess.DEVNULL)
            subprocess.run(download, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for package in glob.glob(os.path.join(folder, "*.deb")):
            subprocess.run(["dpkg-deb", "-x", package, FOLDER], check=True)
        open(mark, "w", encoding="utf-8").close()
