"""Measures the archive from `Scripts/package tar`: the time from the start of its download to the first audio, and the program's
startup time."""

import glob
import os
import shutil
import subprocess

from bench import downloads
from bench.measuring import PROGRAM, ROOT, median, run, turns

# The download rate in bytes per second.
RATE = 20_000_000


def rows(runs, folders, quick):
    """Builds and measures the archive. The first audio is a complete file."""
    archive = _packed(quick)
    with open(archive, "rb") as file:
        content = file.read()
    server = downloads.serve(content, RATE)
    url = f"http://127.0.0.1:{server.server_port}/slow/archive"
    place, name = folders.file("archive"), os.path.basename(archive).removesuffix(".tar.xz")
    steps = {
        "downloaded": f"curl -sSf -o archive.tar.xz {url}",
        "unpacked": "tar -xf archive.tar.xz",
        "spoken": f"{name}/bin/synthhost speak -q 'Hello, world.' -o hello.wav",
    }

    def first_use():
        """Returns the seconds for each step, starting with an empty folder."""
        shutil.rmtree(folders.path)
        os.makedirs(place)
        return [run(["env", "-C", place, "sh", "-c", command], folders.environment)["seconds"] for command in steps.values()]

    taken = turns(runs, ours=first_use)["ours"]
    server.shutdown()
    tree = os.path.join(place, name, "bin", "synthhost")
    starts = turns(
        max(3, runs), **{
            program: lambda path=path: run([path, "--version"], folders.environment)["seconds"] * 1000
            for program, path in (("tree", tree), ("build", PROGRAM))})
    size = lambda count: round(count / 1e6, 1)
    return [
        {"what": f"archive of {size(len(content))} MB at {RATE // 1_000_000} MB/s: download to first audio", "unit": "s",
         "synthhost": round(median([sum(each) for each in taken]), 2)},
        *({"what": f"  until it is {step}", "unit": "s", "synthhost": round(median([sum(each[:number]) for each in taken]), 2)}
          for number, step in enumerate(list(steps)[:2], 1)),
        {"what": "  unpacked size", "unit": "MB", "synthhost": size(_size(os.path.join(place, name)))},
        {"what": "start of the unpacked program alone", "unit": "ms", "synthhost": round(median(starts["tree"]), 1)},
        {"what": "  start of the program in the build folder", "unit": "ms", "synthhost": round(median(starts["build"]), 1)},
    ]


def _packed(quick):
    command = [os.path.join(ROOT, "Scripts", "package"), "tar", *(["--quick"] if quick else [])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return glob.glob(os.path.join(ROOT, ".build", "package", "*.tar.xz"))[0]


def _size(folder):
    return sum(
        os.lstat(os.path.join(parent, name)).st_size for parent, _, names in os.walk(folder) for name in names)
