"""Tests `synthhost transcribe` with a hundred clips in which recognizers repeat or invent text, compared with faster-whisper and the same
weights: speech followed by noise or silence, pauses filled with noise, cut recordings, music, tones, and noise alone.

The speech is that of `people.py`. The music is a Debian package (asterisk-moh-opsound-wav; CC-BY-SA-3.0)."""

import array
import difflib
import glob
import math
import os
import random
import subprocess
import wave

from listener import hearing, packages, people

# Change the number when the clips change, because clips and transcripts are cached.
FOLDER = os.path.join(people.FOLDER, "hard-clips-1")
RATE = people.RATE
MUSIC = "asterisk-moh-opsound-wav"
# The minimum number of consecutive extra words, compared with the true text, that count as invented. A few extra words may just spell out
# a number.
INVENTED = 4
# The maximum number of words that may be recognized in 0.3 s of speech.
SHORT_WORDS = 2


def run():
    """Prints a table. Returns whether synthhost invented nothing and recognized at least as many true words as faster-whisper."""
    packages.prepare()
    packages.exporter()
    clips = made()
    files = [file for _, file, _ in clips]
    theirs = hearing.heard(hearing.TINY, files)
    ours = people.transcribed(files, hearing.TINY, "en", detects=True)
    table, lost = {}, 0
    for (kind, file, wanted), mine, other in zip(clips, ours, theirs):
        truth, mine_words, other_words = (people.spelled(text, "en") for text in (wanted, mine, other))
        row = table.setdefault(kind, [0, 0, 0, 0])
        row[0] += 1
        row[1] += has_invented(truth, mine_words, kind)
        row[2] += has_invented(truth, other_words, kind)
        missing = sorted(matched(truth, other_words) - matched(truth, mine_words))
        row[3] += len(missing)
        if missing or has_invented(truth, mine_words, kind):
            print(f"{os.path.basename(file)}\n  true: {wanted}\n  synthhost: {mine}\n  faster-whisper: {other}")
    print("| clips | number | invented by synthhost | invented by faster-whisper | true words that only faster-whisper has |\n|---|---|---|---|---|")
    for kind, row in table.items():
        print(f"| {kind} |", " | ".join(str(number) for number in row), "|")
        lost += row[3]
    words = sum(len(people.spelled(wanted, "en")) for _, _, wanted in clips)
    gained = sum(
        len(matched(people.spelled(wanted, "en"), people.spelled(mine, "en")) - matched(people.spelled(wanted, "en"), people.spelled(other, "en")))
        for (_, _, wanted), mine, other in zip(clips, ours, theirs))
    print(f"Of {words} true words, only faster-whisper has {lost}, and only synthhost has {gained}.")
    return not any(row[1] for row in table.values()) and lost <= gained


def matched(truth, heard):
    """Returns the indices of the true words in a transcript."""
    blocks = difflib.SequenceMatcher(None, truth, heard, autojunk=False).get_matching_blocks()
    return {block.a + index for block in blocks for index in range(block.size)}


def has_invented(truth, heard, kind):
    if not truth:
        return len(heard) > (SHORT_WORDS if kind == "0.3 s of speech" else 0)
    steps = difflib.SequenceMatcher(None, truth, heard, autojunk=False).get_opcodes()
    return any((b2 - b1) - (a2 - a1) >= INVENTED for _, a1, a2, b1, b2 in steps)


def made():
    """Returns the clips as (kind, file, true text). They are always the same."""
    os.makedirs(FOLDER, exist_ok=True)
    chance = random.Random(11)
    speech = [(samples(file), text) for file, text in people.recordings("en", people.LONG, False)]
    chance.shuffle(speech)
    found = []

    def add(kind, content, text=""):
        path = os.path.join(FOLDER, f"{len(found):03}.wav")
        if not os.path.exists(path):
            with wave.open(path + ".new", "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                file.writeframes(array.array("h", [round(max(-32768, min(32767, one))) for one in content]).tobytes())
            os.rename(path + ".new", path)
        found.append((kind, path, text))

    def noise(seconds, volume):
        return [one * volume * 8000 for one in people.pink(round(seconds * RATE), chance)]

    def next_speech():
        speech.append(speech.pop(0))
        return speech[-1]

    for number in range(15):
        content, text = next_speech()
        add("noise after speech", content + noise(0.8 + number * 0.3, chance.choice((0.01, 0.02, 0.05))), text)
    for number in range(10):
        content, text = next_speech()
        add("noise before speech", noise(0.5 + number * 0.5, chance.choice((0.01, 0.02, 0.05))) + content, text)
    for number in range(10):
        content, text = next_speech()
        add("silence around speech", [0] * RATE * (number % 4) + content + [0] * RATE * (number + 1), text)
    for number in range(15):
        (first, one), (second, other) = next_speech(), next_speech()
        add("a pause with noise", first + noise(2 + number * 0.4, chance.choice((0.005, 0.02, 0.04))) + second, f"{one} {other}")
    for _ in range(10):
        content, text = next_speech()
        add("noise at 12 dB", list(people.noisy(array.array("h", content + [0] * 2 * RATE), chance, 12)), text)
    for number in range(10):
        content, text = next_speech()
        cut = round((0.3 + 0.05 * number) * RATE)
        add("a cut end", content[:-cut], " ".join(text.split()[:-1]))
    for _ in range(6):
        content, _ = next_speech()
        begin = chance.randrange(len(content) - RATE)
        add("0.3 s of speech", content[begin:begin + round(0.3 * RATE)])
    people.unpack(MUSIC)
    pieces = sorted(glob.glob(os.path.join(people.FOLDER, "usr/share/asterisk/moh/*.wav")))
    for number in range(10):
        piece = samples(pieces[number % len(pieces)])
        begin = chance.randrange(max(1, len(piece) - 40 * RATE))
        add("music", piece[begin:begin + (10 + 3 * number) * RATE])
    for frequency in (440, 1000, 350, 2600, 50):
        add("a tone", [6000 * math.sin(2 * math.pi * frequency * index / RATE) for index in range(8 * RATE)])
    for volume in (0.002, 0.01, 0.05, 0.2):
        add("noise alone", noise(6, volume))
    add("noise alone", [chance.gauss(0, 400) for _ in range(6 * RATE)])
    add("noise alone", [chance.choice((-20000, 20000)) if index % 4000 < 3 else 0 for index in range(6 * RATE)])
    for seconds in (1, 5, 40):
        add("silence", [0] * seconds * RATE)
    return found


def samples(file):
    """Returns a recording as 16 kHz mono samples."""
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", file, "-ac", "1", "-ar", str(RATE), "-f", "s16le", "-"], stdout=subprocess.PIPE, check=True)
    return list(array.array("h", done.stdout))
