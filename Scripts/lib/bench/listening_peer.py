"""Runs in the recognizer's environment: listening_peer.py NAME MODEL SOUND, or listening_peer.py mix <WHAT."""

import json
import os
import sys
import wave

os.environ["HF_HUB_OFFLINE"] = "1"
RATE = 16_000


def faster_whisper(model, sound):
    from faster_whisper import WhisperModel

    # Use the same precision, and one thread per processor.
    whisper = WhisperModel(model, device="cpu", compute_type="float32", cpu_threads=os.cpu_count())
    parts, _ = whisper.transcribe(sound, language="en", beam_size=5)
    print(" ".join(part.text.strip() for part in parts))


def pocketsphinx(_, sound):
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=RATE)
    with wave.open(sound) as file:
        samples = file.readframes(file.getnframes())
    # Pass half a minute at a time. The authors' tools pass a sentence at a time.
    for begin in range(0, len(samples), 60 * RATE):
        decoder.start_utt()
        decoder.process_raw(samples[begin:begin + 60 * RATE], full_utt=True)
        decoder.end_utt()
        if decoder.hyp():
            print(decoder.hyp().hypstr)


def mix():
    import numpy

    given = json.load(sys.stdin)
    pieces = []
    for path in given["parts"]:
        with wave.open(path) as file:
            rate = file.getframerate()
            samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
        times = numpy.arange(int(len(samples) * RATE / rate)) * rate / RATE
        # A windowed sinc filter with 32 samples on either side and a cutoff below half of the lower rate.
        cut = min(1.0, RATE / rate) * 0.95
        near = numpy.arange(-32, 33)
        first = numpy.floor(times).astype(int)
        place = first[:, None] + near
        offset = times[:, None] - place
        weight = cut * numpy.sinc(cut * offset) * (0.5 + 0.5 * numpy.cos(numpy.pi * numpy.clip(offset / 33, -1, 1)))
        inside = (place >= 0) & (place < len(samples))
        pieces.append((numpy.where(inside, samples[numpy.clip(place, 0, len(samples) - 1)], 0) * weight).sum(1))
        pieces.append(numpy.zeros(int(given["pause"] * RATE)))
    clean = numpy.concatenate(pieces)
    spectrum = numpy.fft.rfft(numpy.random.default_rng(5).standard_normal(len(clean)))
    noise = numpy.fft.irfft(spectrum / numpy.sqrt(numpy.maximum(numpy.arange(len(spectrum)), 1)), len(clean))
    speech = numpy.mean(clean[numpy.abs(clean) > 1e-3] ** 2)
    noise *= numpy.sqrt(speech / numpy.mean(noise**2) / 10 ** (given["above"] / 10))
    for what, sound in (("clean", clean), ("noise", clean + noise)):
        path = given["paths"][what]
        with wave.open(path + ".new", "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((numpy.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
        os.rename(path + ".new", path)


def live():
    """Measures when pocketsphinx shows its first word of live audio."""
    import time

    from bench import listening
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=RATE)
    decoder.start_utt()
    told = []

    def write(piece):
        decoder.process_raw(piece)
        if decoder.hyp() and decoder.hyp().hypstr.strip():
            told.append(time.monotonic())
        return not told

    begin, _ = listening.pace(sys.stdin.buffer.read(), write)
    print(json.dumps({"partial": told[0] - begin}))


if __name__ == "__main__":
    if sys.argv[1] == "mix":
        mix()
    elif sys.argv[1] == "live":
        # Files in this script's folder have the same names as packages, so search the parent folder first.
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        live()
    else:
        {"faster-whisper": faster_whisper, "pocketsphinx": pocketsphinx}[sys.argv[1]](*sys.argv[2:])
