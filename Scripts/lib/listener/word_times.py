"""Compares synthhost's word timings with the audio itself and with Whisper's timings."""

import difflib
import json
import re
import statistics

from listener import hearing, packages, sentences, voices
from listener.host import Host

# The options that select a voice. espeak-ng's engine knows its timings exactly, so it shows the accuracy of both measurements.
CHOICES = {"espeak-ng": ["-e", "espeak-ng", "-l", "en-US"], "Heart": ["-v", "Heart Small", "--yes"]}
# The maximum median difference in seconds.
TOLERANCE = 0.06
BEGINNINGS = "beginnings"
ENDS = {BEGINNINGS: 1, "ends": 2}
# Words that start with a hiss, and words that may precede them so that the onset can be measured.
HISS, BEFORE = re.compile(r"(?i)s(h|[aeiouy])"), re.compile(r"(?i).*[aeioulmnrwy]")


def run(listeners):
    """Prints the results. Returns whether the median difference of the word starts is always within the tolerance."""
    packages.prepare(is_long=hearing.BASE in listeners)
    voices.small()
    asked = [sentence.text for sentence in sentences.read() if sentence.is_plain]
    found = []
    with Host() as host:
        for name, choice in CHOICES.items():
            spoken = [_spoken(host, choice, text, f"{name}-{place}") for place, text in enumerate(asked)]
            found.append(_hissed(name, spoken))
            for listener in listeners:
                found.append(_heard(name, spoken, listener))
    return max(found) <= TOLERANCE


def _hissed(name, spoken):
    """Prints the accuracy of the starts of words that begin with a hiss, and returns the median."""
    wanted = [
        [file, [after[1] for before, after in zip(told, told[1:]) if HISS.match(after[0]) and BEFORE.fullmatch(before[0])]]
        for told, file in spoken]
    later = [one for found in hearing.ask("hisses", wanted) for one in found if one is not None]
    print(f"{name}, {len(later)} hisses that begin a word: {_text(later)}, later by {_milliseconds(later)}", flush=True)
    return _size(later)


def _heard(name, spoken, listener):
    """Prints a recognizer's rows.
    Returns the median difference of the word starts without the recognizer's usual delay. The measurement in `_hissed` has no such delay.
    Word ends are less certain, because a recognizer may include the pause after a word.
    """
    files = [file for _, file in spoken]
    found = hearing.ask("times", {"model": hearing.model(listener), "files": files}, hearing.LIMIT * len(files))
    pairs = [pair for (told, _), heard in zip(spoken, found) for pair in _pairs(told, heard)]
    sizes = {}
    for what, place in ENDS.items():
        later = [heard[place] - told[place] for told, heard in pairs]
        usual = statistics.median(later)
        less = [each - usual for each in later]
        print(
            f"{name}, {what} of {len(pairs)} words, by Whisper {listener}: {_text(later)}, later by {_milliseconds(later)}; "
            f"without that {_text(less)}", flush=True)
        sizes[what] = _size(less)
    return sizes[BEGINNINGS]


def _size(differences):
    return statistics.median(map(abs, differences))


def _milliseconds(differences):
    return f"{statistics.median(differences) * 1000:.0f} ms"


def _text(differences):
    sizes = sorted(map(abs, differences))
    return f"median {_size(differences) * 1000:.0f} ms (90 %: {sizes[len(sizes) * 9 // 10] * 1000:.0f})"


def _spoken(host, choice, text, name):
    """Returns the words of a text with their times in seconds, as [word, start, end], and the audio file."""
    sound, times = host.home.file(f"{name}.wav"), host.home.file(f"{name}.json")
    host.run("speak", "-q", *choice, "-o", sound, "--timings", times, text)
    with open(times, encoding="utf-8") as file:
        told = json.load(file)
    if told["timing"] != "words":
        raise SystemExit(f"{name} has no word times.")
    return [[word["text"], word["start"], word["end"]] for sentence in told["sentences"] for word in sentence["words"]], sound


def _pairs(ours, theirs):
    """Returns the pairs of identical words, in order."""
    plain = lambda words: [re.sub(r"[^a-z0-9]", "", word.lower()) for word, *_ in words]
    for first, second, count in difflib.SequenceMatcher(None, plain(ours), plain(theirs), autojunk=False).get_matching_blocks():
        yield from zip(ours[first:first + count], theirs[second:second + count])
