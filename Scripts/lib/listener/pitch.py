"""Measures the quality of a voice's pitch change: the actual pitch, and the change of the spectral envelope, compared with libsonic.

The pitch is measured in the audio by autocorrelation. The envelope is the amplitude of the harmonics: at each frequency, the mean in
decibels over all voiced frames, smoothed over half an octave and without the overall level. A voice that is only higher has the same
envelope.
"""

import ctypes
import math

import numpy
from listener import voices
from listener.host import Host
from listener.sound import Sound

SEMITONES = [-12, -6, -3, 3, 6, 12]
PITCH_TOLERANCE, ENVELOPE_TOLERANCE = 0.02, 2.0
TEXT = (
    "The library opened at nine, and a few people were already waiting outside. Most of them wanted newspapers; one wanted an "
    "old map of the harbour, drawn in ink. The librarian knew where it was.")
LOWEST, HIGHEST, HOP, STRENGTH = 50, 700, 0.01, 0.6
# The compared frequencies in hertz. At higher frequencies, noise is louder than the voice.
BANDS = numpy.geomspace(150, 5_000, 61)


def voiced(samples, rate, near=None):
    """Returns pairs of time in samples and pitch in hertz for periodic frames.

    `near` returns the expected pitch at a time. The best period within a fifth of it is chosen.
    """
    found = []
    width = int(0.04 * rate)
    loudest = numpy.abs(samples).max()
    for middle in range(width, len(samples) - width, int(HOP * rate)):
        expected = near(middle) if near else None
        if near and not expected:
            continue
        frame = samples[middle - width:middle + width]
        if numpy.abs(frame).max() < 0.05 * loudest:
            continue
        spectrum = numpy.fft.rfft(frame * numpy.hanning(len(frame)), 4 * len(frame))
        window = numpy.fft.irfft(numpy.abs(numpy.fft.rfft(numpy.hanning(len(frame)), 4 * len(frame))) ** 2)
        correlation = numpy.fft.irfft(numpy.abs(spectrum) ** 2)
        low, high = (expected / 1.2, expected * 1.2) if near else (LOWEST, HIGHEST)
        lags = numpy.arange(int(rate / high), min(int(rate / low), width) + 1)
        if len(lags) < 3:
            continue
        fit = correlation[lags] / window[lags] / (correlation[0] / window[0])
        best = fit.max()
        if best < STRENGTH:
            continue
        # Use the first peak that is nearly as high, because multiples of the period fit too.
        place = next((i for i in range(1, len(lags) - 1) if fit[i] >= 0.9 * best and fit[i - 1] <= fit[i] >= fit[i + 1]), None)
        if place is None:
            continue
        before, here, after = fit[place - 1:place + 2]
        shift = 0.5 * (before - after) / (before - 2 * here + after) if before - 2 * here + after else 0
        found.append((middle, rate / (lags[place] + shift)))
    return found


def envelope(samples, rate, frames):
    """Returns decibels at BANDS: the mean of each frame's harmonics, smoothed over half an octave."""
    levels = []
    for middle, pitch in frames:
        width = int(2 * rate / pitch)
        frame = samples[max(middle - width, 0):middle + width]
        spectrum = numpy.abs(numpy.fft.rfft(frame * numpy.hanning(len(frame)), 16_384)) / len(frame)
        step = rate / 16_384
        harmonics = numpy.arange(pitch, min(7_000, rate / 2 - pitch), pitch)
        peaks = [spectrum[int((h - 0.3 * pitch) / step):int((h + 0.3 * pitch) / step) + 1].max() for h in harmonics]
        levels.append(numpy.interp(BANDS, harmonics, 20 * numpy.log10(numpy.maximum(peaks, 1e-9))))
    octaves = numpy.log2(BANDS)
    weights = numpy.exp(-0.5 * ((octaves[:, None] - octaves[None]) / (0.5 / 2.355)) ** 2)
    return weights / weights.sum(1, keepdims=True) @ numpy.mean(levels, 0)


def sonic(samples, rate, factor):
    """Returns the audio with its pitch changed by libsonic."""
    library = ctypes.CDLL("libsonic.so.0")
    library.sonicCreateStream.restype = ctypes.c_void_p
    stream = ctypes.c_void_p(library.sonicCreateStream(rate, 1))
    library.sonicSetPitch(stream, ctypes.c_float(factor))
    sound = numpy.ascontiguousarray(samples * 32767, dtype=numpy.int16)
    library.sonicWriteShortToStream(stream, sound.ctypes.data_as(ctypes.c_void_p), len(sound))
    library.sonicFlushStream(stream)
    out = numpy.zeros(2 * len(sound) + rate, dtype=numpy.int16)
    count = library.sonicReadShortFromStream(stream, out.ctypes.data_as(ctypes.c_void_p), len(out))
    library.sonicDestroyStream(stream)
    return out[:count] / 32768


def compare(own, changed, rate, factor):
    """Returns the error of the median pitch, and the root mean square and maximum of the envelope differences in decibels."""
    frames = voiced(own, rate)
    times, pitches = numpy.array([f[0] for f in frames]), numpy.array([f[1] for f in frames])
    stretch = len(changed) / len(own)

    def nearest(place):
        index = numpy.abs(times - place / stretch).argmin()
        return index if abs(times[index] - place / stretch) < HOP * rate else None

    def expected(place):
        index = nearest(place)
        return None if index is None else pitches[index] * factor

    after = voiced(changed, rate, expected)
    same = [frames[nearest(place)] for place, _ in after]
    error = numpy.median([pitch / expected(place) for place, pitch in after]) - 1
    # There is nothing to compare below the first harmonic.
    inside = BANDS > 1.2 * numpy.median(pitches) * max(factor, 1)
    difference = (envelope(changed, rate, after) - envelope(own, rate, same))[inside]
    difference -= difference.mean()
    return error, numpy.sqrt((difference ** 2).mean()), numpy.abs(difference).max()


def samples_of(path):
    sound = Sound(path)
    return numpy.array(sound.samples) / 32768, sound.rate


def rows(name, speak):
    """Prints a voice's results and those of libsonic. `speak` returns the path of the audio at a pitch factor.

    Returns whether the tolerances are met up to six semitones.
    """
    own, rate = samples_of(speak(1))
    is_good = True
    print(f"{name:14} {'':4} {'pitch':>8} {'envelope':>10} {'largest':>10}   libsonic: {'pitch':>8} {'envelope':>10} {'largest':>10}")
    for semitones in SEMITONES:
        factor = math.exp2(semitones / 12)
        changed, _ = samples_of(speak(factor))
        found = [compare(own, changed, rate, factor), compare(own, sonic(own, rate, factor), rate, factor)]
        cells = [f"{error:+8.2%} {envelope:7.2f} dB {largest:7.2f} dB" for error, envelope, largest in found]
        print(f"{'':14} {semitones:+4d} {cells[0]}             {cells[1]}", flush=True)
        if abs(semitones) <= 6:
            is_good = is_good and abs(found[0][0]) <= PITCH_TOLERANCE and found[0][1] <= ENVELOPE_TOLERANCE
    return is_good


def voice(host, choice):
    """Returns a function that speaks with the voice selected by the options."""
    def speak(factor):
        path = host.home.file(f"pitch-{factor:.3f}.wav")
        host.run("speak", *choice, "-p", str(factor), TEXT, "-o", path)
        return path
    return speak


def run():
    """Prints the table for the small Heart, whose engine changes the pitch itself. Returns whether the tolerances are met."""
    with Host() as host:
        voices.small()
        return rows("Heart Small", voice(host, ["-v", "Heart Small", "--yes"]))
