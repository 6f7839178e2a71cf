"""Audio files of any format, decoded by ffmpeg."""

import array
import math
import statistics
import subprocess

from clients.programs import LIMIT

RATE = 16_000
# The length of the chunks whose loudness is compared, and the step between them, in samples. The samples themselves cannot be compared,
# because they differ each time that an engine speaks.
PIECE, STEP = 400, 80
# The maximum time by which a codec may lengthen, shorten or delay the audio, in seconds.
PADDING = 0.15


class Sound:
    def __init__(self, file, *raw):
        """`raw` contains ffmpeg's options for a file without a header."""
        done = subprocess.run(
            ["ffmpeg", "-v", "error", *raw, "-i", file, "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        if done.returncode or done.stderr:
            raise AssertionError(f"ffmpeg cannot read {file}: {done.stderr.decode()}")
        self.samples = array.array("h", done.stdout)

    @property
    def seconds(self):
        return len(self.samples) / RATE

    @property
    def peak(self):
        return max(map(abs, self.samples), default=0)

    def loudness(self):
        """Returns the loudness of each chunk."""
        return [
            math.sqrt(sum(sample * sample for sample in self.samples[start:start + PIECE]))
            for start in range(0, len(self.samples), STEP)]


def pcm(file, rate=24_000):
    """Reads a file of 16-bit mono samples."""
    return Sound(file, "-f", "s16le", "-ac", "1", "-ar", str(rate))


def likeness(one, other):
    """Returns the correlation of two signals' loudness at the best delay; 1 means that they are identical."""
    longest = int(PADDING * RATE / STEP)
    one, other = one.loudness(), other.loudness()
    return max(_correlation(one, other, delay) for delay in range(-longest, longest + 1))


def _correlation(one, other, delay):
    pairs = list(zip(one, other[delay:]) if delay > 0 else zip(one[-delay:], other))
    return statistics.correlation(*zip(*pairs)) if len(pairs) > 1 else 0


def same_speech(one, other):
    """Raises an error with the difference if the signals differ."""
    found = likeness(one, other)
    if abs(one.seconds - other.seconds) > PADDING or found < 0.95:
        raise AssertionError(f"{one.seconds:.3f} s and {other.seconds:.3f} s, similarity {found:.3f}")
