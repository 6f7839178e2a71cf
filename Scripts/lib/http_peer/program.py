"""Uses our parser through the program HTTPProbe."""

import os
import struct
import subprocess
import sys

from http_peer.peer import ROOT
from http_peer.verdict import Request, Verdict


def build():
    """Builds the program and returns its path. Exits if the build fails."""
    # Include ONNX Runtime as in all builds, because a different manifest would rebuild everything.
    script = """
        root=$PWD
        . Scripts/lib/packages.sh
        . Scripts/lib/onnxruntime.sh
        use_onnxruntime
        exec swift build --product HTTPProbe"""
    done = subprocess.run(
        ["sh", "-c", script], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"compare-http: HTTPProbe could not be built.\n{done.stdout[-2000:]}")
    return os.path.join(ROOT, ".build", "debug", "HTTPProbe")


def ask(probe, streams):
    """Returns our parser's verdicts."""
    given = b"".join(struct.pack(">I", len(stream)) + stream for stream in streams)
    done = subprocess.run([probe], input=given, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"compare-http: HTTPProbe exited with {done.returncode}.")
    blocks = done.stdout.split(b"\n\n")
    if blocks.pop() != b"" or len(blocks) != len(streams):
        sys.exit("compare-http: HTTPProbe returned an unexpected answer.")
    return [read(block.split(b"\n")) for block in blocks]


def read(lines):
    verdict = Verdict([], True, "")
    for line in lines:
        kind, _, rest = line.partition(b" ")
        if kind == b"request":
            method, target, version = rest.split(b" ")
            digits = version.decode().removeprefix("http")
            verdict.requests.append(Request(method, target, f"{digits[0]}.{digits[1]}", []))
            verdict.is_whole = False
        elif kind == b"header":
            name, _, value = rest.partition(b" ")
            # h11 converts this value to lowercase.
            value = value.lower() if name == b"transfer-encoding" else value
            verdict.requests[-1].headers.append((name, value))
        elif kind == b"body":
            verdict.requests[-1].body = bytes.fromhex(rest.decode())
        elif kind == b"end":
            verdict.requests[-1].stays_open = rest == b"open"
            verdict.is_whole = True
        elif kind == b"cut":
            verdict.is_cut = True
        else:
            verdict.end, verdict.reason = kind.decode(), rest.decode()
    return verdict
