"""Measures text preparation: verbalizing numbers, dates and abbreviations, compared with splitting text into utterances."""

import json
import os
import statistics
import subprocess

from bench.measuring import ROOT
from bench.texts import numbered

PROBE = os.path.join(ROOT, ".build", "release", "WordsProbe")
TABLES = os.path.join(ROOT, "Sources", "SynthVerbalization", "Languages")


def book(runs):
    """Returns the megabytes per processor second on one thread, with the tables already loaded. The text is a book in which every second
    sentence contains a number, a date, an abbreviation or the like."""
    text = numbered().encode()
    answer = subprocess.run(
        [PROBE, TABLES, "en", str(runs)], input=text, stdout=subprocess.PIPE, check=True)
    result = json.loads(answer.stdout)
    speed = lambda seconds: round(result["bytes"] / 1e6 / statistics.median(seconds), 1)
    return [
        {"what": "preparing a book of 20 000 words with many numbers", "unit": "MB/s", "synthhost": speed(result["preparing"])},
        {"what": "  splitting it into utterances first", "unit": "MB/s", "synthhost": speed(result["cutting"])},
    ]
