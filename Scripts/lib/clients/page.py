"""The page of `synthhost serve --http`, used by a browser as a newcomer would, on a fresh home with a server of voices."""

import http.server
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import threading

from clients.checks import equal
from clients.programs import BUILT, FOLDER, LIMIT, PYTHON, ROOT, Home, descendants, is_alive, wait_until
from clients.registry import Registry

BROWSER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page_browser.py")
PICTURES = os.path.join(FOLDER, "page")


class Service:
    """An installation of its own, which knows the voices of a registry only, on a fresh home."""

    def __init__(self, registry):
        self.home = Home()
        self.prefix = tempfile.mkdtemp(prefix="synthhost-page-")
        self._install(registry)
        self.port = 0
        self.start()

    def _install(self, registry):
        library = os.path.join(self.prefix, "lib", "synthhost")
        os.makedirs(os.path.join(library, "plugins"))
        os.makedirs(os.path.join(self.prefix, "bin"))
        shutil.copy(os.path.join(BUILT, "synthhost"), os.path.join(self.prefix, "bin"))
        for program in ["synthhost-worker", "synthhost-fetch"]:
            shutil.copy(os.path.join(BUILT, program), library)
        for engine in ["EspeakNG", "Piper"]:
            shutil.copy(os.path.join(BUILT, f"lib{engine}.so"), os.path.join(library, "plugins"))
        shutil.copytree(os.path.join(ROOT, "Sources", "SpeechServices", "Page"), os.path.join(library, "page"))
        shutil.copytree(
            os.path.join(ROOT, "Sources", "Verbalization", "Languages"), os.path.join(library, "languages"))
        with open(os.path.join(library, "models.json"), "w") as file:
            file.write(registry.text())
        exports = subprocess.run(
            [os.path.join(ROOT, "Scripts", "onnxruntime"), "--exports"], stdout=subprocess.PIPE, text=True, check=True)
        folder = re.search(r"SYNTHHOST_ONNXRUNTIME=(\S+)", exports.stdout).group(1).strip("'\"")
        self.home.environment["LD_LIBRARY_PATH"] = os.path.join(folder, "lib")

    def start(self):
        self.process = subprocess.Popen(
            [os.path.join(self.prefix, "bin", "synthhost"), "serve", "--http", f"127.0.0.1:{self.port}"],
            env=self.home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = b""
        while not (found := re.search(rb"http://127\.0\.0\.1:(\d+)/#token=\S+", said)):
            if not select.select([self.process.stderr], [], [], LIMIT)[0]:
                raise AssertionError(f"no link was told: {said!r}")
            piece = os.read(self.process.stderr.fileno(), 4096)
            if not piece:
                raise AssertionError(f"no link was told: {said!r}")
            said += piece
        self.link = found.group().decode()
        self.port = int(found.group(1))

    def kill_engines(self):
        for pid, name in descendants(self.process.pid).items():
            if name.startswith("synthhost-worke"):
                os.kill(pid, signal.SIGKILL)

    def end(self):
        processes = descendants(self.process.pid)
        self.process.terminate()
        self.process.communicate(timeout=LIMIT)
        wait_until(lambda: not any(is_alive(pid) for pid in processes), "the engines end")

    def remove(self):
        self.home.remove()
        shutil.rmtree(self.prefix, ignore_errors=True)


class Control:
    """What the browser's checks ask for from outside of the browser."""

    def __init__(self, registry, service):
        actions = {
            "/slow": lambda: setattr(registry, "rate", 400_000),
            "/fast": lambda: setattr(registry, "rate", 100_000_000),
            "/fail": lambda: setattr(registry, "fails", True),
            "/mend": lambda: setattr(registry, "fails", False),
            "/kill-engines": service.kill_engines,
            "/end": service.end,
            "/start": service.start,
        }

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                actions[self.path]()
                self.send_response(204)
                self.end_headers()

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def raised(why):
    if why:
        raise AssertionError(why)


def run(checks):
    registry = Registry()
    service = Service(registry)
    control = Control(registry, service)
    os.makedirs(PICTURES, exist_ok=True)
    try:
        told = 0
        browser = subprocess.Popen(
            [PYTHON, BROWSER, service.link, control.url, PICTURES], env=os.environ | {"HOME": service.home.path},
            stdout=subprocess.PIPE, text=True)
        for line in browser.stdout:
            result = json.loads(line)
            told += 1
            checks.ok(result["sentence"], lambda: raised(result["why"]))
        checks.ok("the browser's checks run to their end", lambda: equal((browser.wait(LIMIT), told > 20), (0, True)))
        checks.ok("the service with the page ends, and leaves no process", service.end)
    finally:
        control.server.shutdown()
        registry.stop()
        service.process.kill()
        service.remove()
