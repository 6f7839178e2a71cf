"""Transcribes recordings of people that are joined into one long file, with pauses between them, and compares the text, the word times and
the subtitles with the truth and with faster-whisper and the same weights."""

import array
import difflib
import json
import os
import random
import re
import statistics
import wave

from bench.listening import export
from listener import hearing, packages, people
from listener.host import Host

FOLDER = os.path.join(people.FOLDER, "joined")
RATE = people.RATE
# The length of a pause in seconds.
PAUSES = (0.4, 2.0)
# A word may extend this far into a pause, in seconds.
TOLERANCE = 0.3
# The maximum median difference between word times, in seconds, and the maximum length of a missing or added passage, in words.
NEAR, PASSAGE = 0.06, 3
# The limits of a cue: characters per line, lines, and the duration in seconds.
COLUMNS, LINES, SHORTEST, LONGEST = 42, 2, 1, 7


def run(minutes):
    """Prints the results. Returns whether all of them are within the limits."""
    packages.prepare()
    packages.exporter()
    sound, texts, pauses = joined(minutes)
    with Host() as host:
        host.run("models", "add", export(hearing.TINY), "--engine", "whisper", "--id", "joined")
        form, cues = (os.path.join(FOLDER, name) for name in ("ours.json", "ours.srt"))
        for out in (form, cues):
            if os.path.exists(out):
                os.remove(out)
            host.run("transcribe", sound, "-m", "joined", "-l", "en", "-q", "-o", out)
    with open(form, encoding="utf-8") as file:
        ours = [(word["word"], word["start"], word["end"]) for part in json.load(file)["texts"] for word in part["words"]]
    theirs = others(sound, 60 * minutes)
    good = True
    print(f"{minutes} minutes, {len(pauses)} pauses")
    for name, words in (("synthhost", ours), ("faster-whisper", theirs)):
        missing, added = passages(texts, " ".join(word for word, _, _ in words))
        across, into = in_pauses(words, pauses)
        print(f"{name}: {len(words)} words; the longest missing passage has {len(missing)} words ({' '.join(missing)}), the longest "
              f"additional one {len(added)} ({' '.join(added)}); words across a pause: {across}, in a pause: {into}")
        if words is ours:
            good = len(missing) <= PASSAGE and len(added) <= PASSAGE and not across
    starts, ends = differences(ours, theirs)
    print(f"{len(starts)} words that both have: the median difference of the starts is {1000 * statistics.median(starts):.0f} ms, "
          f"of the ends {1000 * statistics.median(ends):.0f} ms")
    count, wrong = limits(cues)
    print(f"{count} cues, {wrong} outside of the limits")
    return good and statistics.median(starts) <= NEAR and not wrong


def others(sound, limit):
    """Returns the words of faster-whisper with their times. They are cached next to the recording."""
    cached = sound + ".json"
    if not os.path.exists(cached):
        found = hearing.ask("times", {"model": hearing.model(hearing.TINY), "files": [sound]}, limit)[0]
        with open(cached, "w", encoding="utf-8") as file:
            json.dump(found, file)
    with open(cached, encoding="utf-8") as file:
        return [tuple(word) for word in json.load(file)]


def joined(minutes):
    """Returns the path of the file, the text, and the pauses as ranges in seconds."""
    clips = people.recordings("en", 10_000, False)
    order, samples, texts, pauses = random.Random(minutes), array.array("h"), [], []
    while len(samples) < minutes * 60 * RATE:
        order.shuffle(clips)
        for path, text in clips:
            with wave.open(path) as clip:
                samples.frombytes(clip.readframes(clip.getnframes()))
            start = len(samples) / RATE
            samples.extend([0] * int(RATE * order.uniform(*PAUSES)))
            texts.append(text)
            pauses.append((start, len(samples) / RATE))
            if len(samples) >= minutes * 60 * RATE:
                break
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, f"{minutes}.wav")
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(samples.tobytes())
    return path, " ".join(texts), pauses


def passages(truth, heard):
    """Returns the longest passage that is missing, and the longest one that was added."""
    wanted, found = (text.split() for text in hearing.ask("normal", [truth, heard], 600))
    missing, added = [], []
    for _, first, last, begin, end in difflib.SequenceMatcher(None, wanted, found, autojunk=False).get_opcodes():
        if (last - first) - (end - begin) > len(missing):
            missing = wanted[first:last][:(last - first) - (end - begin)]
        if (end - begin) - (last - first) > len(added):
            added = found[begin:end][:(end - begin) - (last - first)]
    return missing, added


def in_pauses(words, pauses):
    """Returns the number of words that begin before a pause and end after it, and of those that extend into one."""
    across = sum(any(start < first and end > last for first, last in pauses) for _, start, end in words)
    into = sum(any(min(end, last) - max(start, first) > TOLERANCE for first, last in pauses) for _, start, end in words)
    return across, into


def differences(ours, theirs):
    """Returns the absolute differences of the start and end times of the words that both have."""
    mine, other = ([re.sub(r"\W", "", word.casefold()) for word, _, _ in words] for words in (ours, theirs))
    starts, ends = [], []
    for first, second, count in difflib.SequenceMatcher(None, mine, other, autojunk=False).get_matching_blocks():
        for (_, start, end), (_, begin, last) in zip(ours[first:first + count], theirs[second:second + count]):
            starts.append(abs(start - begin))
            ends.append(abs(end - last))
    return starts, ends


def limits(path):
    """Returns the number of cues, and of those outside of the limits."""
    with open(path, encoding="utf-8") as file:
        cues = [cue.split("\n") for cue in file.read().strip().split("\n\n")]
    wrong = 0
    for _, times, *lines in cues:
        start, end = (seconds(time) for time in times.split(" --> "))
        wrong += not (SHORTEST - 0.01 <= end - start <= LONGEST + 0.01 and len(lines) <= LINES and max(map(len, lines)) <= COLUMNS)
    return len(cues), wrong


def seconds(time):
    hours, minutes, rest = time.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest.replace(",", "."))
