"""The programs under test: copies that load the fault library, which makes calls fail."""

import os
import shutil
import subprocess

from clients.programs import BUILT, ROOT
from faults.table import Table

NAMES = ["synthhost", "synthhost-check", "synthhost-fetch", "synthhost-read", "synthhost-worker"]

# The first run loads every engine in the folder, so the folder contains only the engines that the scenarios use.
ENGINES = {"libEspeakNG.so", "libPiper.so"}


class Programs:
    """A folder with the programs, the engines and the library's table, which all processes from the folder share."""

    def __init__(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.folder = folder
        library = os.path.join(folder, "faults.so")
        subprocess.run(
            ["cc", "-std=gnu11", "-O1", "-fno-omit-frame-pointer", "-Wall", "-shared", "-fPIC", "-o", library,
             os.path.join(ROOT, "Tests", "Faults", "faults.c")], check=True)
        for name in NAMES:
            shutil.copy(os.path.join(BUILT, name), folder)
            # The fault library is loaded first, so its functions replace functions of the C library.
            subprocess.run(["patchelf", "--add-needed", library, os.path.join(folder, name)], check=True)
        built = os.path.realpath(BUILT)
        # The libraries of Swift and of the neural engines are in the parent folder of the programs.
        for here, there in [(built, folder), (os.path.dirname(built), os.path.dirname(folder))]:
            for name in os.listdir(here):
                if name.startswith("lib") and ".so" in name and (here != built or name in ENGINES) and not os.path.exists(os.path.join(there, name)):
                    # These are copies, because the programs notice when a build changes the engines.
                    shutil.copy(os.path.realpath(os.path.join(here, name)), os.path.join(there, name))
        # The scripted recognizer treats a tone as speech.
        subprocess.run(
            ["cc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-I", os.path.join(ROOT, "Sources/CSynthEngine/include"), "-o",
             os.path.join(folder, "libScripted.so"), os.path.join(ROOT, "Plugins/Scripted/scripted.c")], check=True)
        self.table = Table(os.path.join(folder, "table"))

    def replace(self):
        """Replaces the programs and engines with new files, as the installation of a package does."""
        for name in os.listdir(self.folder):
            if name in NAMES or name in ENGINES:
                new = self.path(name + ".new")
                shutil.copy(self.path(name), new)
                os.replace(new, self.path(name))

    def path(self, name="synthhost"):
        return os.path.join(self.folder, name)

    def register(self, text):
        """Sets the registry."""
        with open(os.path.join(self.folder, "models.json"), "w") as file:
            file.write(text)


def places(sites):
    """Maps each site to the functions on its call stack, innermost first."""
    wanted = {}
    for site in sites:
        wanted.setdefault(site.program, set()).update(frame for frame in site.frames if frame)
    named = {}
    for program, frames in wanted.items():
        frames = sorted(frames)
        path = next(os.path.join(BUILT, name) for name in NAMES if name.startswith(program))
        # A return address points to the instruction after the call, so look up the preceding byte.
        if not shutil.which("llvm-symbolizer") or not shutil.which("swift-demangle"):
            continue
        found = subprocess.run(
            ["llvm-symbolizer", "--obj=" + path, "--no-inlines", "--output-style=GNU"],
            input="".join(f"{frame - 1:#x}\n" for frame in frames), capture_output=True, text=True)
        readable = subprocess.run(["swift-demangle", "--simplified"], input=found.stdout, capture_output=True, text=True)
        named.update({(program, frame): line[:140] for frame, line in zip(frames, readable.stdout.splitlines()[::2])})
    return {site: [named.get((site.program, frame), "?") for frame in site.frames if frame] for site in sites}
