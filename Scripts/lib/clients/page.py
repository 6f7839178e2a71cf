"""Tests the page of `synthhost serve --http` in a browser as a new user would use it, each time with a new home folder and a voice
server. The environment variable PAGE_WALKS selects some of the walks; the default is all. The measurements are written to `facts.json`
in the folder with the screenshots. All walks run below a path, behind nginx, and the short walk also runs without nginx."""

import glob
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
from clients.page_proxy import Proxy, redirects
from clients.registry import Registry

BROWSER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page_browser.py")
PICTURES = os.path.join(FOLDER, "page")
SOURCE = os.path.join(ROOT, "Sources", "SynthWeb", "Page")
# The walks, with the address on which the service listens. 0.0.0.0 is reachable from other machines, which need the token for everything.
WALKS = dict.fromkeys(["wide", "small", "narrow", "tablet", "large", "sizes", "kept", "transcribing"], "127.0.0.1") | {"shut": "0.0.0.0"}
# The walk that also runs without a proxy.
DIRECT = "shut"
# Prefixes of text names that are partly computed.
FAMILIES = ("trouble-", "remedy-", "unread-", "gender-", "manner-", "state-", "fact-", "sleep-", "scheme-", "face-")
# Texts whose names are voice states.
STATES = {"waiting", "verifying", "unpacking", "measuring"}


class Service:
    """A separate installation in a new home folder, with only the voices of one registry."""

    def __init__(self, registry, host, name=None):
        """`name` is an additional host name."""
        self.host = host
        self.name = name
        self.home = Home()
        self.prefix = tempfile.mkdtemp(prefix="synthhost-page-")
        self._install(registry)
        self.token = self.home.write("a-token-of-the-checks-alone\n", "token")
        os.chmod(self.token, 0o600)
        self.port = 0
        self.start()

    def _install(self, registry):
        library = os.path.join(self.prefix, "lib", "synthhost")
        os.makedirs(os.path.join(library, "plugins"))
        os.makedirs(os.path.join(self.prefix, "bin"))
        shutil.copy(os.path.join(BUILT, "synthhost"), os.path.join(self.prefix, "bin"))
        for program in ["synthhost-worker", "synthhost-fetch", "synthhost-read"]:
            shutil.copy(os.path.join(BUILT, program), library)
        for engine in ["EspeakNG", "Piper"]:
            shutil.copy(os.path.join(BUILT, f"lib{engine}.so"), os.path.join(library, "plugins"))
        shutil.copytree(SOURCE, os.path.join(library, "page"))
        shutil.copytree(
            os.path.join(ROOT, "Sources", "SynthVerbalization", "Languages"), os.path.join(library, "languages"))
        with open(os.path.join(library, "models.json"), "w") as file:
            file.write(registry.text())
        # The programs look in this folder for the toolchain's libraries and ONNX Runtime.
        above = os.path.dirname(os.path.realpath(BUILT))
        for name in os.listdir(above):
            if ".so" in name:
                os.symlink(os.path.realpath(os.path.join(above, name)), os.path.join(library, name))

    def start(self):
        self.process = subprocess.Popen(
            [os.path.join(self.prefix, "bin", "synthhost"), "serve", "--http", f"{self.host}:{self.port}",
             *(["--http-name", self.name] if self.name else []),
             *([] if self.host == "127.0.0.1" else ["--http-token-file", self.token])],
            env=self.home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = b""
        while not (found := re.search(rb"http://127\.0\.0\.1:(\d+)/#token=\S+", said)):
            if not select.select([self.process.stderr], [], [], LIMIT)[0]:
                raise AssertionError(f"the service printed no link: {said!r}")
            piece = os.read(self.process.stderr.fileno(), 4096)
            if not piece:
                raise AssertionError(f"the service printed no link: {said!r}")
            said += piece
        self.port = int(found.group(1))
        self.address = f"127.0.0.1:{self.port}"
        self.link = found.group().decode()

    def kill_engines(self):
        for pid, name in descendants(self.process.pid).items():
            if name.startswith("synthhost-worke"):
                os.kill(pid, signal.SIGKILL)

    def end(self):
        processes = descendants(self.process.pid)
        self.process.terminate()
        self.process.communicate(timeout=LIMIT)
        wait_until(lambda: not any(is_alive(pid) for pid in processes), "the engines exit")

    def remove(self):
        self.home.remove()
        shutil.rmtree(self.prefix, ignore_errors=True)


class ListeningService(Service):
    """A service that also has the scripted recognizer, with a model to download, and a recording of speech."""

    def _install(self, registry):
        super()._install(registry)
        with open(os.path.join(ROOT, "Plugins", "Scripted", "scripted.c"), encoding="utf-8") as file:
            source = file.read()
        # Change the recognizer, so that it is not an example and has no built-in model.
        for old, new in [(" | SYNTH_RECOGNIZER_IS_EXAMPLE", ""), ("return index == 0 ? &only : NULL;", "(void)only; (void)index; return NULL;")]:
            if old not in source:
                raise AssertionError(f"scripted.c does not contain “{old}”")
            source = source.replace(old, new)
        subprocess.run(
            ["cc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-I", os.path.join(ROOT, "Sources/CSynthEngine/include"), "-x", "c", "-", "-o",
             os.path.join(self.prefix, "lib", "synthhost", "plugins", "scripted.so")], input=source, text=True, check=True)
        said = self.home.file("said.wav")
        subprocess.run(
            [os.path.join(self.prefix, "bin", "synthhost"), "speak", "-v", "en-gb", "-o", said, "Now somebody says something of a few words"],
            env=self.home.environment, check=True, capture_output=True)
        # The same speech twice, with pauses around it.
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", said, "-filter_complex",
             "[0]aresample=48000,adelay=500,apad=pad_dur=1.2,asplit[a][b];[a][b]concat=n=2:v=0:a=1", self.home.file("talk.wav")], check=True)


class Control:
    """Actions outside the browser, which the checks in the browser request."""

    def __init__(self, registry, service):
        actions = {
            "/slow": registry.is_fast.clear,
            "/fast": registry.is_fast.set,
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
    checks.ok("page: all languages have the same texts", same_texts)
    checks.ok("page: it uses only texts that exist, and uses all of them", named_texts)
    checks.ok("page: its modules are short and have no cyclic dependencies", short_modules)
    os.makedirs(PICTURES, exist_ok=True)
    for walk in os.environ.get("PAGE_WALKS", " ".join(WALKS)).split():
        browse(checks, walk, WALKS[walk], Proxy())
        if walk == DIRECT:
            browse(checks, walk, WALKS[walk])


def browse(checks, walk, host, proxy=None):
    registry = Registry()
    service = (ListeningService if walk == "transcribing" else Service)(registry, host, proxy and proxy.name)
    control = Control(registry, service)
    try:
        told = 0
        link = service.link
        if proxy:
            proxy.start(service.address)
            link = proxy.url + link[link.index("#"):]
            checks.ok("page: behind nginx, it also works without the trailing slash", lambda: redirects(proxy))
        browser = subprocess.Popen(
            [PYTHON, "-B", BROWSER, walk, link, control.url, PICTURES],
            env=os.environ | {"HOME": service.home.path}, stdout=subprocess.PIPE, text=True)
        for line in browser.stdout:
            result = json.loads(line)
            told += 1
            checks.ok(result["sentence"], lambda: raised(result["why"]))
        checks.ok(f"page: all checks of the walk “{walk}” run", lambda: equal((browser.wait(LIMIT), told > 5), (0, True)))
        checks.ok("page: the service exits and leaves no processes", service.end)
    finally:
        if proxy:
            proxy.stop()
        control.server.shutdown()
        registry.stop()
        service.process.kill()
        service.remove()


def texts():
    """Returns the page's texts, keyed by language."""
    found = {}
    for path in glob.glob(os.path.join(SOURCE, "**", "text", "*.json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            found.setdefault(os.path.basename(path), {}).update(json.load(file)["strings"])
    return found


def same_texts():
    """Checks that each text exists in every language, with the same placeholders."""
    values = lambda text: None if text is None else sorted(re.findall(r"\{\w+\}", text))
    english = texts()["en.json"]
    for name, strings in texts().items():
        others = {key for key in english.keys() | strings.keys()
                  if values(strings.get(key)) != values(english.get(key))}
        equal((name, others), (name, set()))


def named_texts():
    """Checks that each text that the page or a module uses exists, and that each text is used."""
    code = ""
    for path in glob.glob(os.path.join(SOURCE, "**", "*.js"), recursive=True) + [os.path.join(SOURCE, "index.html")]:
        with open(path, encoding="utf-8") as file:
            code += file.read()
    known = set(texts()["en.json"])
    named = set(re.findall(r'data-(?:text|label|hint)="(\w+)"', code)) | set(re.findall(r'\btext\("([\w-]+)"', code))
    equal(named - known, set())
    said = {key for key in known if not key.startswith(FAMILIES) and not re.search(rf"\b{key}\b", code)}
    equal(said - STATES, set())


def modules():
    """Returns the modules of the page, with the modules that each one imports."""
    found = {}
    for path in glob.glob(os.path.join(SOURCE, "**", "*.js"), recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        used = re.findall(r'from "(\.[^"]+)"', text)
        found[path] = (text, {os.path.normpath(os.path.join(os.path.dirname(path), name)) for name in used})
    return found


def short_modules():
    """Checks that modules are short and do not import each other in a cycle."""
    found = modules()
    equal([path for path, (text, _) in found.items() if text.count("\n") > 250], [])
    left = {path: set(used) for path, (_, used) in found.items()}
    while left:
        last = {path for path, used in left.items() if not used & left.keys()}
        if not last:
            raise AssertionError(f"modules import each other in a cycle: {sorted(os.path.relpath(path, SOURCE) for path in left)}")
        left = {path: used for path, used in left.items() if path not in last}
