"""`synthhost serve` in a separate home folder."""

import json
import os
import re
import subprocess

from clients.programs import BUILT, LIMIT, Home, descendants, is_alive, wait_until

PROGRAM = os.path.join(BUILT, "synthhost")
# The exit status of `serve --status` if no service is running, or if it is too busy to respond.
NO_SERVICE = 69


def status(environment, program=PROGRAM):
    """Returns the status of the service in an environment."""
    ask = lambda: subprocess.run([program, "serve", "--status", "--json"], env=environment, capture_output=True)
    done = wait_until(lambda: (done := ask()).returncode != NO_SERVICE and done, "the service reports its status")
    done.check_returncode()
    return json.loads(done.stdout)


class Service:
    """A service that runs from its creation until `stop`."""

    def __init__(self, *options, home=None, address=rb"http://127\.0\.0\.1:\d+"):
        """`address` is the pattern of the URL in the service's message."""
        self.is_guest = home is not None
        self.home = home or Home()
        self._log = self.home.file("serve.log")
        with open(self._log, "wb") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", *options], env=self.home.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=log)
        try:
            self.address = wait_until(lambda: self._told(address), "the service prints its address").decode()
        except AssertionError:
            self.process.kill()
            raise AssertionError(f"the service printed no address: {self.said()}") from None

    def said(self):
        with open(self._log, "rb") as log:
            return log.read()

    def _told(self, address):
        found = re.search(address, self.said())
        if not found and self.process.poll() is not None:
            raise AssertionError("the service exited")
        return found and found.group()

    def run(self, *arguments):
        """Runs `synthhost` in the same home folder and returns its output."""
        done = subprocess.run(
            [PROGRAM, *arguments], env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=LIMIT)
        if done.returncode:
            raise AssertionError(f"{arguments} exited with {done.returncode}: {done.stderr.decode()}")
        return done.stdout

    def status(self):
        return status(self.home.environment)

    def engines(self):
        """Returns the engine processes."""
        return [pid for pid, name in descendants(self.process.pid).items() if name.startswith("synthhost-worke")]

    def memory(self):
        """Returns the memory of the service process in bytes, excluding its engines."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def peak(self):
        """Returns the peak memory of the service process in bytes since `forget_peak`."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")

    def is_idle(self):
        """Returns whether no speech or transcription is running or waiting."""
        figures = self.status()
        return not any(figures[kind][what] for kind in ["speeches", "transcriptions"] for what in ["running", "waiting"])

    def stop(self):
        """Stops the service in the same way as the system. All of its child processes must also exit."""
        processes = descendants(self.process.pid)
        self.process.terminate()
        self.process.wait(2 * LIMIT)
        wait_until(lambda: not any(is_alive(pid) for pid in processes), "the engines exit")
        if not self.is_guest:
            self.home.remove()
