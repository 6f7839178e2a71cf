"""synthhost in a separate home folder, with a local mirror of the published files."""

import functools
import http.server
import json
import os
import subprocess
import threading

from clients.programs import BUILT, ROOT, Home
from listener import voices

PROGRAM = os.path.join(BUILT, "synthhost")
# The timeout in seconds. The machine may be busy, and the first utterance creates the optimized model.
LIMIT = 600


class Host:
    """Active during a `with` block. `asked` contains the paths of the requests to the mirror."""

    def __enter__(self):
        self.asked = []
        self._mirror = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(voices.Mirror, asked=self.asked.append))
        threading.Thread(target=self._mirror.serve_forever, daemon=True).start()
        self.home = Home()
        self.address = f"http://127.0.0.1:{self._mirror.server_address[1]}/"
        self.home.environment["SYNTHHOST_MIRROR"] = self.address
        return self

    def __exit__(self, *_):
        self._mirror.shutdown()
        self.home.remove()

    def run(self, *words, code=0):
        """Runs `synthhost`, which must exit with `code`, and returns its output."""
        done = subprocess.run(
            [PROGRAM, *words], env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=LIMIT)
        if done.returncode != code:
            raise AssertionError(f"{words} exited with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout + done.stderr

    def register(self, id, *addresses):
        """Registers a voice from the shipped registry with different URLs for its file, below the mirror. Afterwards, the mirror gets
        requests only for these URLs."""
        voice = registered(id)
        voice.pop("alternative", None)
        first, *more = [self.address + each for each in addresses]
        voice["files"][0] |= {"url": first, "mirrors": more}
        self.home.write(json.dumps({"voices": [voice]}), ".local", "share", "synthhost", "models.json")
        self.home.environment.pop("SYNTHHOST_MIRROR", None)

    def add_kokoro(self, folder, id):
        return self.run("models", "add", folder, "--engine", "kokoro", "--language", "en-US", "--id", id, "--name", "Alpha")


def registered(id):
    """Returns the entry of a voice in the shipped registry, with each file's complete URL."""
    with open(os.path.join(ROOT, "models.json"), encoding="utf-8") as file:
        registry = json.load(file)
    voice = next(voice for voice in registry["voices"] if voice["id"] == id)
    source = voice.pop("source", None)
    for each in voice["files"]:
        if path := each.pop("path", None):
            each["url"] = registry["sources"][source]["url"] + path
    return voice
