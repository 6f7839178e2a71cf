#!/usr/bin/env python3
"""Compares the compute core of small voices with ONNX Runtime and with the spectral part of the package that publishes them.

Usage: python3 Scripts/lib/hibari_parity.py [GRAPH]

Needs the packages hibari-tts, onnx, onnxruntime and numpy, and a built Tests/HibariProbe (Scripts/test --build). The package converts
the sentences to symbols. Noise and symbols are the same on both sides. The 8-bit products in the graph are replaced with float
products of the same weights. Fails if the signal-to-noise ratio of a sentence is below 50 dB, if the median is below 60 dB, or if a
duration differs.

Where 11 000 / f0 crosses an integer, the last bit of f0 adds a harmonic for one sample, so a few sentences are below 60 dB.
"""
import collections
import os
import subprocess
import sys
import tempfile

import hibari
import numpy as np
import onnx
import onnxruntime
from hibari import dsp
from onnx import TensorProto, helper, numpy_helper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROBE = os.path.join(ROOT, ".build", "release", "HibariProbe")
PARTS = ("lh", "theta", "ln", "lr", "phi", "f0")
SENTENCES = """Button.
Open the window, please.
The train to Leeds leaves at half past nine from platform four.
She sells sea shells by the sea shore.
I never said that he stole the money; I said that somebody did.
When the harbour lights came on one by one along the old stone quay, the fishermen picked up their nets and walked down to the boats.
Stop!
It rained all night, and in the morning the road was gone.
Why would anyone paint a bridge purple?
Three, two, one, go!
Error: the file could not be opened.
Thank you very much for your help; it made a real difference.
The recipe calls for two cups of flour, a pinch of salt and an egg.
Menu, button, collapsed.
My grandmother used to tell us stories about the war, though she rarely smiled when she did.
Good night.
Yes.
What time is it?
Doctor Smith lives on Maple Drive, next to the bakery.
The committee will meet again on Thursday to discuss the budget for the coming year.
He whispered something, but nobody could hear it over the engine.
Please enter your name and press the green key.
A quick brown fox jumps over the lazy dog.
Not far from the village there was a lake where children learned to swim.
Tomorrow will be cloudy with a chance of rain in the west.
Copying finished.
Scientists have found water on a planet far beyond our solar system.
Line forty two, column seven.
Is this the right way to the station?
The old man put the letter in a drawer, locked it, and threw the key into the river.""".splitlines()


def with_float_products(model):
    """Returns the same graph with float products, because DynamicQuantizeLinear uses a single scale for a sentence."""
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    producers = {output: node for node in graph.node for output in node.output}
    readers = collections.defaultdict(list)
    for node in graph.node:
        for name in node.input:
            readers[name].append(node)
    replaced = {}
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        last = readers[readers[node.output[0]][0].output[0]][0]
        scales = producers[next(name for name in last.input if producers[name].op_type == "Mul")]
        scale = numpy_helper.to_array(constants[next(name for name in scales.input if name in constants)])
        weights = numpy_helper.to_array(constants[node.input[1]]).astype(np.float32) * scale
        name = node.output[0] + "/floats"
        graph.initializer.append(numpy_helper.from_array(weights.astype(np.float32), name))
        replaced[id(last)] = helper.make_node("MatMul", [producers[node.input[0]].input[0], name], list(last.output))
    nodes = [replaced.get(id(node), node) for node in graph.node]
    while True:
        wanted = {name for node in nodes for name in node.input} | {output.name for output in graph.output}
        kept = [node for node in nodes if any(output in wanted for output in node.output)]
        if len(kept) == len(nodes):
            break
        nodes = kept
    del graph.node[:]
    graph.node.extend(nodes)
    return model


class Given:
    """A random number generator that returns given numbers."""

    def __init__(self, noise):
        self.noise = noise

    def standard_normal(self, shape, dtype):
        assert tuple(shape) == (601, 2 * len(self.noise))
        return np.ascontiguousarray(self.noise.transpose(1, 0, 2)).reshape(601, -1).astype(np.float32)


def main():
    package = hibari.Hibari()
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(hibari.__file__), "assets", "hibari.onnx")
    model = with_float_products(onnx.load(path))
    clip = next(node for node in model.graph.node if node.op_type == "Clip")
    model.graph.output.append(helper.make_tensor_value_info(clip.output[0], TensorProto.FLOAT, [None]))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    random = np.random.default_rng(1)
    ratios, wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        noise_file, sample_file = os.path.join(folder, "noise"), os.path.join(folder, "samples")
        for sentence in SENTENCES:
            ids = list(package.ids(package.phonemize(sentence)[0]))
            found = session.run(
                list(PARTS) + [clip.output[0]], {"ids": np.asarray([ids], np.int64), "speed": np.ones(1, np.float32)})
            parts = dict(zip(PARTS, (value[0] for value in found)))
            noise = random.standard_normal((parts["f0"].shape[-1], 601, 2)).astype(np.float32)
            noise.tofile(noise_file)
            ours = subprocess.run(
                [PROBE, path, "exact", noise_file, sample_file], input=" ".join(map(str, ids)), text=True, check=True,
                capture_output=True).stdout
            wrong += sum(int(a) != int(b) for a, b in zip(ours.split(), found[-1]))
            theirs = dsp.synth(*(parts[name].copy() for name in PARTS), Given(noise)).astype(np.float64).ravel()
            samples = np.fromfile(sample_file, np.float32).astype(np.float64)
            ratio = 10 * np.log10((theirs ** 2).sum() / ((theirs - samples) ** 2).sum())
            ratios.append(ratio)
            print(f"{ratio:6.1f} dB  {sentence[:60]}")
    print(f"{len(ratios)} sentences: lowest {min(ratios):.1f} dB, median {np.median(ratios):.1f} dB, "
          f"{sum(ratio < 60 for ratio in ratios)} below 60; {wrong} durations differ")
    sys.exit(min(ratios) < 50 or np.median(ratios) < 60 or wrong > 0)


if __name__ == "__main__":
    main()
