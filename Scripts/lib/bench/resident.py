"""Runs a peer that stays loaded, with the Python of the peer's own environment. Speaks each line of standard input, and writes the
times to standard output as lines of JSON, in milliseconds since the line was read.

Usage: resident.py piper MODEL | hibari MODEL | kokoro MODEL VOICES VOICE | sherpa-piper MODEL TOKENS DATA THREADS
       | sherpa-kokoro MODEL VOICES TOKENS DATA THREADS | streaming MODEL TOKENS FOLDER THREADS
"""

import json
import resource
import sys
import time


def piper(model):
    from piper import PiperVoice

    voice = PiperVoice.load(model)

    def speak(text, heard):
        for chunk in voice.synthesize(text):
            heard(len(chunk.audio_int16_bytes) // 2)

    return speak


def hibari(model):
    from hibari import Hibari

    voice = Hibari(model=model)
    # Load the word lists now, so that the first text does not have to wait for them.
    voice.g2p

    def speak(text, heard):
        for samples in voice.stream(text):
            heard(len(samples))

    return speak


def kokoro(model, voices, voice):
    import asyncio

    from kokoro_onnx import Kokoro

    engine = Kokoro(model, voices)

    async def stream(text, heard):
        async for samples, _ in engine.create_stream(text, voice=voice, speed=1.0, lang="en-us"):
            heard(len(samples))

    return lambda text, heard: asyncio.run(stream(text, heard))


def sherpa(kind, threads, **files):
    import sherpa_onnx

    if kind == "piper":
        model = sherpa_onnx.OfflineTtsModelConfig(
            vits=sherpa_onnx.OfflineTtsVitsModelConfig(lexicon="", **files), num_threads=int(threads))
    else:
        model = sherpa_onnx.OfflineTtsModelConfig(
            kokoro=sherpa_onnx.OfflineTtsKokoroModelConfig(lang="en-us", **files), num_threads=int(threads))
    engine = sherpa_onnx.OfflineTts(sherpa_onnx.OfflineTtsConfig(model=model, max_num_sentences=1))

    def speak(text, heard):
        def callback(samples, _):
            heard(len(samples))
            return 1

        engine.generate(text, sid=0, speed=1.0, callback=callback)

    return speak


def sherpa_piper(model, tokens, data_dir, threads):
    return sherpa("piper", threads, model=model, tokens=tokens, data_dir=data_dir)


def sherpa_kokoro(model, voices, tokens, data_dir, threads):
    return sherpa("kokoro", threads, model=model, voices=voices, tokens=tokens, data_dir=data_dir)


def streaming(model, tokens, folder, threads):
    from streaming_vits import StreamingTTS

    voice = StreamingTTS(model, tokens_path=tokens, cache=folder, threads=int(threads), verbose=False)

    def speak(text, heard):
        for chunk in voice.stream(text):
            heard(len(chunk.audio))

    return speak


def tell(**values):
    print(json.dumps(values), flush=True)


def main():
    kinds = {"piper": piper, "hibari": hibari, "kokoro": kokoro, "sherpa-piper": sherpa_piper, "sherpa-kokoro": sherpa_kokoro,
             "streaming": streaming}
    start = time.perf_counter()
    speak = kinds[sys.argv[1]](*sys.argv[2:])
    tell(load=(time.perf_counter() - start) * 1000)
    for line in sys.stdin:
        frames, first = 0, None
        start, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)

        def heard(count):
            nonlocal frames, first
            if first is None:
                first = (time.perf_counter() - start) * 1000
                # A caller that measures only the first audio needs no other values.
                tell(first=first)
            frames += count

        speak(line.strip(), heard)
        whole, after = (time.perf_counter() - start) * 1000, resource.getrusage(resource.RUSAGE_SELF)
        cpu = (after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime) * 1000
        tell(first=first, whole=whole, cpu=cpu, frames=frames)


if __name__ == "__main__":
    main()
