"""Runs in the peers' environment: theirs.py NAME FILE… <[[text, path of the sound]]"""

import json
import os
import sys
import wave

# ONNX Runtime's default number of threads.
AS_IT_CHOOSES = 0


def piper(model):
    from piper import PiperVoice

    voice = PiperVoice.load(model)

    def speak(text, path):
        with wave.open(path, "wb") as file:
            voice.synthesize_wav(text, file)

    return speak


def hibari(model):
    from hibari import Hibari

    voice = Hibari(model=model)
    # Use the same noise each time.
    return lambda text, path: voice.save(text, path, seed=0)


def kokoro_onnx(model, archive, style, threads=1):
    import numpy
    import onnxruntime
    from kokoro_onnx import Kokoro

    # Use one thread, because several would wait for each other on a busy machine, and the speed is rarely important.
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    engine = Kokoro.from_session(onnxruntime.InferenceSession(model, options), archive)

    def speak(text, path):
        samples, rate = engine.create(text, voice=style, speed=1.0, lang="en-us")
        with wave.open(path, "wb") as file:
            file.setparams((1, 2, rate, 0, "NONE", ""))
            file.writeframes((numpy.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())

    return speak


if __name__ == "__main__":
    speak = globals()[sys.argv[1]](*sys.argv[2:])
    for text, path in json.load(sys.stdin):
        speak(text, path + ".new")
        os.rename(path + ".new", path)
