"""Measures silence at the ends, loudness, and steps between samples, for many recordings."""

import statistics
from dataclasses import dataclass

from listener import hearing
from listener.sound import Sound


@dataclass(frozen=True)
class Measures:
    before: float
    after: float
    """Medians in seconds."""
    loudness: tuple
    """LUFS: median, minimum, maximum."""
    at_pauses: float
    in_speech: float
    """The largest steps; 1 = full scale."""
    pauses: int


def of(paths):
    found = [Sound(path) for path in paths]
    steps = [sound.steps() for sound in found]
    loud = hearing.ask("loudness", paths)
    return Measures(
        statistics.median(sound.before for sound in found), statistics.median(sound.after for sound in found),
        (statistics.median(loud), min(loud), max(loud)),
        max(pauses for pauses, _, _ in steps), max(speech for _, speech, _ in steps), sum(count for _, _, count in steps))
