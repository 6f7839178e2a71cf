"""The tools that make graphs, in an environment of their own."""

import os
import subprocess
import sys

from clients.programs import ROOT

# ONNX Runtime is the project's own version.
PINNED = {
    "numpy": "2.4.6", "onnx": "1.23.2", "onnxconverter-common": "1.16.0", "onnxruntime": "1.23.2", "onnxsim": "0.8.1",
    "sympy": "1.14.0"}
FOLDER = os.path.join(ROOT, ".build", "real-graphs")
PYTHON = os.path.join(FOLDER, "python", "bin", "python")


def prepare():
    stamp = os.path.join(FOLDER, "stamp")
    wanted = " ".join(f"{name}=={version}" for name, version in PINNED.items())
    if os.path.exists(stamp) and open(stamp).read() == wanted:
        return
    print(f"Installing {wanted}", file=sys.stderr)
    os.makedirs(FOLDER, exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", os.path.join(FOLDER, "python")], check=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted.split()]
    if subprocess.run(pip).returncode != 0:
        sys.exit("The tools could not be fetched. Look at the network and run this again.")
    with open(stamp, "w") as file:
        file.write(wanted)


def environment():
    """What the tools are started with."""
    return {**os.environ, "PYTHONPATH": os.path.join(ROOT, "Scripts", "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
