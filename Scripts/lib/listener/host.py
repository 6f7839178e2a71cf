"""The host in a home of its own, with a mirror on this machine that has the published files."""

import http.server
import os
import subprocess
import threading

from clients.programs import BUILT, Home
from listener import voices

PROGRAM = os.path.join(BUILT, "synthhost")
# Seconds. A machine may be busy, and a first speech makes the quicker form.
LIMIT = 600


class Host:
    """While the block runs."""

    def __enter__(self):
        self._mirror = http.server.ThreadingHTTPServer(("127.0.0.1", 0), voices.Mirror)
        threading.Thread(target=self._mirror.serve_forever, daemon=True).start()
        self.home = Home()
        self.home.environment["SYNTHHOST_MIRROR"] = f"http://127.0.0.1:{self._mirror.server_address[1]}/"
        return self

    def __exit__(self, *_):
        self._mirror.shutdown()
        self.home.remove()

    def run(self, *words):
        """What `synthhost` prints."""
        done = subprocess.run(
            [PROGRAM, *words], env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=LIMIT)
        if done.returncode:
            raise AssertionError(f"{words} ended with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout + done.stderr

    def add_kokoro(self, folder, id):
        return self.run("models", "add", folder, "--engine", "kokoro", "--language", "en-US", "--id", id, "--name", "Alpha")
