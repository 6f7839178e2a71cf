"""Measures an audio file without a recognizer."""

import array
import wave

# The level of silence relative to the loudest sample.
SILENCE = 0.001
# The maximum level of a pause within the audio, its minimum duration in seconds (longer than the closure of a consonant), and the margin on
# each side in seconds.
QUIET, PAUSE, EDGE = 0.01, 0.15, 0.005


class Sound:
    """An audio file of 16-bit mono samples."""

    def __init__(self, path):
        with wave.open(path) as file:
            self.rate, self.samples = file.getframerate(), array.array("h", file.readframes(file.getnframes()))
        floor = max(map(abs, self.samples), default=0) * SILENCE
        self._loud = [place for place, sample in enumerate(self.samples) if abs(sample) > floor]
        if not self._loud:
            raise AssertionError(f"{path} is silent")

    @property
    def seconds(self):
        return len(self.samples) / self.rate

    @property
    def before(self):
        """Returns the seconds of silence at the start."""
        return self._loud[0] / self.rate

    @property
    def after(self):
        """Returns the seconds of silence at the end."""
        return (len(self.samples) - 1 - self._loud[-1]) / self.rate

    def steps(self):
        """Returns the largest step between adjacent samples at pauses and at both ends, the largest step in speech, and the number of
        pauses.

        A bad cut or join causes a click, whose step is at least as large as steps in speech.
        """
        largest = max(map(abs, self.samples))
        loud = [place for place, sample in enumerate(self.samples) if abs(sample) > largest * QUIET]
        pauses = [(left, right) for left, right in zip(loud, loud[1:]) if right - left > PAUSE * self.rate]
        edge = int(EDGE * self.rate)
        quiet = [(0, loud[0] + edge), *((left - edge, right + edge) for left, right in pauses), (loud[-1] - edge, len(self.samples))]
        # Add the silence before and after playback.
        samples = array.array("h", [0, *self.samples, 0])
        steps = [abs(right - left) / 32768 for left, right in zip(samples, samples[1:])]
        speech = zip((right for _, right in quiet), (left for left, _ in quiet[1:]))
        return (
            max(max(steps[max(left, 0):right + 2]) for left, right in quiet),
            max(max(steps[left + 1:right], default=0) for left, right in speech), len(pauses))
