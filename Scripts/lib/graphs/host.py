"""synthhost with a graph as a voice, in a separate home folder."""

import os
import re
import subprocess

from bench.measuring import ORIGINAL
from bench.speakers import ResidentHost
from clients.programs import BUILT, Home
from graphs import texts

PROGRAM = os.path.join(BUILT, "synthhost")
# The timeout in seconds. The machine may be busy, and an added voice speaks some sentences.
LIMIT = 1800


class Refused(Exception):
    """Raised if synthhost cannot use the graph. The message contains the reason."""


class Host:
    """A graph as a voice in two forms: `ours` is the default form, and `published` is the unchanged graph."""

    def __init__(self, kind, graph, companions):
        """`companions` maps roles to the voice's other files."""
        self.kind, self.home = kind, Home()
        given = self.home.file("own")
        os.makedirs(given)
        for role, path in {"model": graph, **companions}.items():
            os.symlink(path, os.path.join(given, f"own.{role}"))
        self.ours = dict(self.home.environment, XDG_CACHE_HOME=self.home.file("ours"))
        self.published = dict(self.home.environment, XDG_CACHE_HOME=self.home.file("published"), **{ORIGINAL: "1"})
        self._run(self.ours, "models", "add", given, "--engine", kind, "--language", "en-US", "--id", "own", "--name", "Own", "-q")
        # Turn off Piper's noise, which would differ between runs. Kokoro has no noise.
        self.voice = ["-v", "own", *(["--variation", "0"] if kind == "piper" else [])]

    def _run(self, environment, *words):
        done = subprocess.run(
            [PROGRAM, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=LIMIT)
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if line.startswith("synthhost: ")]
            raise Refused((said[-1] if said else done.stderr[-200:]).replace(self.home.path, "…")[:200])
        return done.stderr

    def speak(self, environment):
        """Speaks into a file of 16-bit samples. Returns its path, the message about the model's form, and the IDs."""
        path = self.home.file("published.raw" if ORIGINAL in environment else "ours.raw")
        said = self._run(environment, "speak", *self.voice, "--verbose", "--raw", texts.TEXT, "-o", path)
        note = re.findall(r"^(?:\S+: )?((?:rewritten|as published|not rewritten).*)$", said, re.MULTILINE)
        ids = re.findall(r"^(?:\S+: )?ids (\d[\d ]*)$", said, re.MULTILINE)
        if not ids:
            raise Refused("synthhost printed no IDs")
        return path, note[0] if note else "synthhost did not print the form of the model", ids

    def resident(self):
        """Returns a resident process that speaks its input."""
        return ResidentHost([PROGRAM, "speak", "-q", *self.voice, "--raw", "-o", "-", "-f", "-"], self.ours)

    def cache_size(self):
        """Returns the disk usage of the engine's cache in bytes. Files may be sparse."""
        folders = os.walk(os.path.join(self.ours["XDG_CACHE_HOME"], "synthhost", "engine", self.kind))
        return sum(os.stat(os.path.join(folder, name)).st_blocks * 512 for folder, _, names in folders for name in names)

    def close(self):
        self.home.remove()
