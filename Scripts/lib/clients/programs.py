"""The programs under test, and home folders for them."""

import os
import shutil
import socket
import subprocess
import tempfile
import time

import pinned

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BUILT = os.environ.get("SYNTHHOST_BUILT") or os.path.join(ROOT, ".build", "release")
PINNED = {"axe-playwright-python": "0.1.8", "openai": "3.54.0", "selenium": "4.27.1", "websockets": "15.0.1", "wyoming": "1.10.2"}
# Packages to install without their dependencies.
ALONE = {"axe-playwright-python"}
FOLDER = os.path.join(ROOT, ".build", "clients")
PYTHON = pinned.python_of(FOLDER)
# The timeout in seconds for anything that should happen soon. It is long, because the machine may be busy.
LIMIT = 600


def prepare():
    """Installs missing packages, and builds as a user would."""
    packages = ". Scripts/lib/packages.sh && require_packages " \
        "speech-dispatcher pulseaudio python3-venv chromium chromium-driver ffmpeg curl haproxy nginx python3-websockets"
    subprocess.run(["sh", "-c", packages], cwd=ROOT, check=True)
    if "SYNTHHOST_BUILT" not in os.environ:
        subprocess.run([os.path.join(ROOT, "Scripts", "synthhost"), "--version"], check=True, stdout=subprocess.DEVNULL)
    whole = {name: version for name, version in PINNED.items() if name not in ALONE}
    alone = {name: version for name, version in PINNED.items() if name in ALONE}
    pinned.install(FOLDER, pinned.names(whole), ["--no-deps", *pinned.names(alone)])


class Home:
    """The home folder of a user who has only the built-in voices."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="synthhost-clients-")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "SYNTHHOST_", "SPEECHD_"))}
        self.environment.update(HOME=self.path, XDG_RUNTIME_DIR=self.path, LC_ALL="C.UTF-8")

    def file(self, *names):
        return os.path.join(self.path, *names)

    def write(self, text, *names):
        path = self.file(*names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def wait_until(condition, what, limit=LIMIT):
    """Waits until the condition is true, and returns its result."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.01)
    raise AssertionError(f"waited {limit} s: {what}")


def free_port():
    """Returns a local port on which no program listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def listens(path):
    """Returns whether a program accepts connections on a socket. The socket's file appears shortly before that."""
    with socket.socket(socket.AF_UNIX) as caller:
        try:
            caller.connect(path)
            return True
        except OSError:
            return False


def descendants(pid):
    """Returns all descendants of a process, with their program names."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    head, rest = file.read().rsplit(")", 1)
            except OSError:
                continue
            state, parent = rest.split()[:2]
            if state != "Z":
                parents[int(name)] = (int(parent), head.split("(", 1)[1])
    found, last = {}, {pid}
    while last:
        last = {child for child, (parent, _) in parents.items() if parent in last}
        found |= {child: parents[child][1] for child in last}
    return found


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
