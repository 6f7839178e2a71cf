"""Measures the similarity of two signals: `sounds.py OURS THEIRS RATE`, with raw 16-bit files. Prints a short description for the table."""

import sys

import numpy as np

# The maximum shift in seconds. The silence trimmed from the beginning may differ by this much.
SHIFT = 0.05
# If the ratio in decibels is below the first value, the phases may have drifted apart, so the spectra are compared too. The second value
# is the number of samples in a window of the spectra.
DRIFTED, WINDOW = 20, 1024


def likeness(ours, theirs, rate):
    """Returns the signal-to-difference ratio in decibels at the best alignment, if the lengths are similar."""
    lengths = f"{len(ours) / rate:.3f} and {len(theirs) / rate:.3f} s"
    if abs(len(ours) - len(theirs)) > SHIFT * rate:
        return lengths
    size = 2 * max(len(ours), len(theirs))
    product = np.fft.irfft(np.fft.rfft(theirs, size) * np.conj(np.fft.rfft(ours, size)), size)
    most = int(SHIFT * rate)
    shift = max(range(-most, most + 1), key=lambda one: product[one])
    ours, theirs = ours[max(0, -shift):], theirs[max(0, shift):]
    count = min(len(ours), len(theirs))
    ours, theirs = ours[:count], theirs[:count]
    if not theirs.any():
        return "silence"
    if (ours == theirs).all():
        return "equal"
    found = _decibels(ours, theirs)
    if found >= DRIFTED:
        return f"{found:.1f} dB"
    return f"{found:.1f} dB, spectra {_decibels(_spectra(ours), _spectra(theirs)):.1f} dB, {lengths}"


def _decibels(ours, theirs):
    return 10 * np.log10(np.sum(theirs ** 2) / np.sum((ours - theirs) ** 2))


def _spectra(sound):
    windows = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::WINDOW // 4]
    return np.abs(np.fft.rfft(windows * np.hanning(WINDOW)))


if __name__ == "__main__":
    FIRST, SECOND = (np.fromfile(path, np.int16).astype(np.float64) for path in sys.argv[1:3])
    print(likeness(FIRST, SECOND, int(sys.argv[3])))
