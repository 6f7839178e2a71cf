"""Runs models with ONNX Runtime alone."""

import os

import numpy as np
import onnx
import onnxruntime

from graphs import texts

STYLE_WIDTH = 256


def session(model, threads=2):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = threads, 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def inputs_of(graph_inputs, ids, styles):
    """Returns the model's inputs for a text: for Kokoro with a row of the style, for Piper without noise."""
    ids = np.array([ids], np.int64)
    if "scales" in graph_inputs:
        return {"input": ids, "input_lengths": np.array([ids.size], np.int64), "scales": np.array([0, 1, 0], np.float32)}
    table = np.fromfile(styles, np.float32).reshape(-1, 1, STYLE_WIDTH)
    row = table[min(ids.size - 2, len(table) - 1)]
    return {"tokens": ids, "style": row, "speed": np.ones(1, np.float32)}


def example(model, ids=texts.IDS):
    """Returns inputs for a model file, with the style from the same folder."""
    return inputs_of(
        {value.name for value in onnx.load(model, load_external_data=False).graph.input}, ids,
        os.path.join(os.path.dirname(model), texts.STYLE))


def shapes(model, names):
    """Returns the shapes of inner tensors for a short text, keyed by tensor name."""
    copy = onnx.load(model)
    copy.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    given = example(model)
    path = model + ".shapes"
    onnx.save(copy, path)
    try:
        found = session(path).run(names, given)
    finally:
        os.remove(path)
    return {name: value.shape for name, value in zip(names, found)}
