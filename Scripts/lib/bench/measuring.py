"""Common code for measurements: separate folders, clocks, memory and turns."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import wave

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# The variable that makes the neural engines run models as published.
ORIGINAL = "SYNTHHOST_ORIGINAL_MODELS"
PROGRAM = os.path.join(ROOT, ".build", "release", "synthhost")


def prepare():
    """Installs and builds as a user would, so that the current sources are measured."""
    subprocess.run([os.path.join(ROOT, "Scripts", "synthhost"), "--version"], check=True, stdout=subprocess.DEVNULL)
    packages = ". Scripts/lib/packages.sh && require_packages espeak-ng"
    subprocess.run(["sh", "-c", packages], cwd=ROOT, check=True)


class Folders:
    """Home folders for the benchmark."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="synthhost-bench-")
        self.environment = {
            k: v for k, v in os.environ.items() if k == ORIGINAL or not k.startswith(("XDG_", "SYNTHHOST_"))}
        self.environment.update(HOME=self.path, LC_ALL="C.UTF-8")

    def file(self, name):
        return os.path.join(self.path, name)

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def peak_memory(process):
    """Returns the peak resident size of the process or one of its children, in bytes. Reads the size while the processes run,
    because the value from wait4 is at least the size of the process that started the child."""
    peak = 0
    while process.returncode is None:
        for pid in [process.pid, *children(process.pid)]:
            try:
                program = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
                with open(f"/proc/{pid}/status") as file:
                    status = file.read()
            except OSError:
                continue
            if program.startswith(("synthhost", "espeak")) and "VmHWM:" in status:
                peak = max(peak, int(status.split("VmHWM:")[1].split()[0]) * 1024)
        time.sleep(0.005)
    return peak


def children(pid):
    """Returns the children of all threads of a process."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass
    return found


def run(command, environment, stdin=None, watch=False):
    """Returns the seconds from start to end, the processor seconds and, if `watch` is set, the peak memory."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE)
    watched = []
    watcher = threading.Thread(target=lambda: watched.append(peak_memory(process)))
    if watch:
        watcher.start()
    if stdin:
        process.stdin.write(stdin)
        process.stdin.close()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if watch:
        watcher.join()
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {errors.decode(errors='replace')}")
    return {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime, "peak": max(watched, default=0)}


def first_sound(command, environment):
    """Returns the seconds from start to the first sample on standard output, after a WAV header of 44 bytes."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    need = 46
    while need > 0:
        data = os.read(process.stdout.fileno(), need)
        if not data:
            sys.exit(f"{' '.join(command)} produced no audio")
        need -= len(data)
    seconds = time.perf_counter() - start
    process.stdout.close()
    process.kill()
    process.wait()
    return seconds


def wav_seconds(path):
    with wave.open(path) as file:
        return file.getnframes() / file.getframerate()


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def turns(count, **measures):
    """Runs all measurements `count` times, each time in a different order. The first round is a warm-up."""
    results = {name: [] for name in measures}
    for turn in range(count + 1):
        names = list(measures)
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            value = measures[name]()
            if turn > 0:
                results[name].append(value)
    return results


def median(values):
    return statistics.median(values)
