"""What is measured in a sound file without hearing it."""

import array
import wave

# What counts as silence, beside the loudest sample.
SILENCE = 0.001


class Sound:
    """Samples of 16 bits, one channel."""

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
        """Seconds of silence before the first sound."""
        return self._loud[0] / self.rate

    @property
    def after(self):
        """Seconds of silence after the last sound."""
        return (len(self.samples) - 1 - self._loud[-1]) / self.rate
