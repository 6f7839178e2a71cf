"""Runs in the recognizer's environment: ears.py NAME <VALUE >VALUE, with both values in JSON."""

import contextlib
import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"


def hear(given):
    """Takes {model, language, precision, beam, files: [[sound, text]]}, and transcribes each sound file to its text file. Writes each text
    as soon as it is ready."""
    from faster_whisper import WhisperModel

    # Use one thread, because several would wait for each other on a busy machine.
    whisper = WhisperModel(given["model"], device="cpu", compute_type=given["precision"], cpu_threads=1)
    for sound, text in given["files"]:
        parts, _ = whisper.transcribe(
            sound, language=given["language"], beam_size=given["beam"], condition_on_previous_text=False)
        said = "".join(part.text for part in parts).strip()
        with open(text + ".new", "w", encoding="utf-8") as file:
            file.write(said)
        os.rename(text + ".new", text)


def times(given):
    """Takes {model, files: [sound]}. Returns the words in each file as [word, start, end], with both times in seconds."""
    from faster_whisper import WhisperModel

    whisper = WhisperModel(given["model"], device="cpu", compute_type="int8", cpu_threads=1)
    found = []
    for sound in given["files"]:
        parts, _ = whisper.transcribe(
            sound, language="en", beam_size=5, condition_on_previous_text=False, word_timestamps=True)
        found.append([[word.word.strip(), word.start, word.end] for part in parts for word in part.words])
    return found


# The parameters of the search for a hiss: its step, and its range before and after the expected time, in seconds; the lowest frequency in
# hertz; the rise, and the level of the onset below the maximum, in decibels.
LOOK, NEAR, HIGH, RISE, BELOW = 0.005, (0.1, 0.17), 3800, 20, 12


def hisses(given):
    """Takes recordings as [sound, [seconds]]. Returns the delay of the hiss at each of these times, or null if there is no hiss."""
    import wave

    import numpy

    def one(path, places):
        with wave.open(path) as file:
            rate, samples = file.getframerate(), numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
        step = int(rate * LOOK)
        parts = numpy.lib.stride_tricks.sliding_window_view(samples, 2 * step)[::step] * numpy.hanning(2 * step)
        high = numpy.abs(numpy.fft.rfft(parts))[:, int(HIGH * 2 * step / rate):]
        loud = 10 * numpy.log10((high ** 2).sum(1) + 1)
        return [begin(loud, place) for place in places]

    def begin(loud, place):
        first = max(0, round((place - NEAR[0]) / LOOK))
        near = loud[first:round((place + NEAR[1]) / LOOK)]
        top = int(near.argmax())
        quiet = int(near[:top + 1].argmin())
        if near[top] - near[quiet] < RISE:
            return None
        rising = quiet + int((near[quiet:top + 1] >= near[top] - BELOW).argmax())
        # Return the middle of the step.
        return (first + rising + 1) * LOOK - place

    return [one(path, places) for path, places in given]


def normal(texts):
    """Converts texts with Whisper's English normalizer."""
    from whisper_normalizer.english import EnglishTextNormalizer

    normalizer = EnglishTextNormalizer()
    return [normalizer(text) for text in texts]


def loudness(files):
    """Returns the integrated loudness in LUFS."""
    import wave

    import numpy
    import pyloudnorm

    def one(path):
        with wave.open(path) as file:
            samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
            return pyloudnorm.Meter(file.getframerate()).integrated_loudness(samples)

    return [one(path) for path in files]


if __name__ == "__main__":
    answers = sys.stdout
    # Some libraries print messages, which must not be mixed with the result.
    with contextlib.redirect_stdout(sys.stderr):
        found = globals()[sys.argv[1]](json.load(sys.stdin))
    json.dump(found, answers)
