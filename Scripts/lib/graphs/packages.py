"""The tools that create graphs, in a separate environment."""

import os

import pinned
from clients.programs import ROOT

# ONNX Runtime has the same version as in the project's builds.
PINNED = {
    "numpy": "2.4.6", "onnx": "1.23.2", "onnxconverter-common": "1.16.0", "onnxruntime": "1.23.2", "onnxsim": "0.8.1",
    "sympy": "1.14.0"}
FOLDER = os.path.join(ROOT, ".build", "real-graphs")
PYTHON = pinned.python_of(os.path.join(FOLDER, "python"))


def prepare():
    os.makedirs(FOLDER, exist_ok=True)
    pinned.install(os.path.join(FOLDER, "python"), pinned.names(PINNED))


def environment():
    """Returns the environment variables for the tools."""
    return {**os.environ, "PYTHONPATH": os.path.join(ROOT, "Scripts", "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
