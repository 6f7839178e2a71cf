"""Measures the stages of a new process from outside: from its child processes, the output of `--verbose`, and the first audio."""

import os
import selectors
import subprocess
import sys
import time

from bench.measuring import PROGRAM, children

# The stages, in order. Each one starts when the previous one ends.
STAGES = ["the program, until its worker starts", "the worker, until it opens the engine", "the engine and its model",
          "reading the text", "the first run, until its audio"]


def stages(voice, library, text, environment):
    """Returns the milliseconds of each stage."""
    command = [PROGRAM, "speak", "--verbose", *voice, "--raw", "-o", "-", text]
    start = time.perf_counter()
    child = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seen, errors, worker = {}, b"", None
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        selector.register(child.stderr, selectors.EVENT_READ)
        while STAGES[-1] not in seen:
            is_looking = STAGES[1] not in seen
            ready = selector.select(0.001 if is_looking else None)
            now = time.perf_counter()
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    sys.exit(f"synthhost exited early: {errors.decode(errors='replace')[-500:]}")
                if key.fileobj is child.stdout:
                    seen[STAGES[4]] = now
                    break
                errors += data
                # The engines log this message at the end of loading, and the IDs before each run of the model.
                if b"from the cache" in errors or b"from its file" in errors:
                    seen.setdefault(STAGES[2], now)
                if b"ids " in errors:
                    seen.setdefault(STAGES[3], now)
            if is_looking:
                worker = worker or _worker(child.pid)
                if worker:
                    seen.setdefault(STAGES[0], now)
                    if _maps(worker, library) or STAGES[2] in seen:
                        seen.setdefault(STAGES[1], now)
    child.stdout.close()
    child.stderr.close()
    child.kill()
    child.wait()
    lengths, before = {}, start
    for stage in STAGES:
        # If two stages end between two reads, the second one gets a length of 0.
        end = max(seen.get(stage, before), before)
        lengths[stage], before = (end - before) * 1000, end
    return lengths


def _worker(pid):
    for one in children(pid):
        try:
            if os.path.basename(os.readlink(f"/proc/{one}/exe")) == "synthhost-worker":
                return one
        except OSError:
            pass
    return None


def _maps(pid, library):
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as file:
            return library in file.read()
    except OSError:
        return False
