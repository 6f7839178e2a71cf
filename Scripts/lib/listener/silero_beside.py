"""Compares the Silero plugin with its model in ONNX Runtime for Python: `silero_beside.py PROBE silero_vad.onnx FILE...`.

PROBE is the tests' program SileroProbe. The published model is in the package silero-vad (6.2.3). A FILE contains mono samples at 16
kHz as float32. Needs numpy and onnxruntime.
"""

import json
import subprocess
import sys

import numpy
import onnxruntime

RATE, BLOCK, BEFORE = 16000, 512, 64
BEGIN, STAY, QUIET = 0.5, 0.35, 0.3


def probabilities(session, sound):
    state, before = numpy.zeros((2, 1, 128), numpy.float32), numpy.zeros(BEFORE, numpy.float32)
    for start in range(0, len(sound), BLOCK):
        block = numpy.zeros(BLOCK, numpy.float32)
        block[:len(sound[start:start + BLOCK])] = sound[start:start + BLOCK]
        found, state = session.run(["output", "stateN"], {
            "input": numpy.concatenate([before, block])[None], "state": state, "sr": numpy.array(RATE)})
        before = block[-BEFORE:]
        yield float(found[0, 0])


def stretches(found):
    begins, ends, last = [], [], None
    for place, probability in enumerate(found):
        if last is None and probability >= BEGIN:
            begins.append(place)
            last = place
        elif last is not None and probability >= STAY:
            last = place
        elif last is not None and (place - last) * BLOCK >= QUIET * RATE:
            ends.append(last + 1)
            last = None
    return begins, ends + ([] if last is None else [last + 1])


def main(probe, model, *files):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options)
    lines = subprocess.run([probe, model, *files], check=True, capture_output=True, text=True).stdout.splitlines()
    most, differ, blocks, processor, count = 0.0, [], 0, 0.0, 0
    for line in map(json.loads, lines):
        expected = list(probabilities(session, numpy.fromfile(line["file"], numpy.float32)))
        most = max(most, numpy.abs(numpy.array(expected) - line["probabilities"]).max())
        if stretches(expected) != (line["begins"], line["ends"]):
            differ.append(line["file"])
        blocks, processor, count = blocks + len(expected), processor + line["processor"], count + len(line["begins"])
    seconds = blocks * BLOCK / RATE
    print(f"{len(lines)} recordings of {seconds:.0f} s: probabilities differ by at most {most:.2e}, {count} segments of speech, "
          f"{len(differ)} recordings with different segments; {1000 * processor / seconds:.1f} ms of processor time per second")
    sys.exit(1 if differ or len(lines) != len(files) or most > 1e-3 else 0)


main(*sys.argv[1:])
