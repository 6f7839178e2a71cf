"""Tests HAProxy with the configuration in `Scripts/examples` and three `synthhost serve` processes. Checks the responses to clients
while servers are killed and drained."""

import collections
import concurrent.futures
import http.client
import itertools
import json
import os
import random
import socket
import subprocess
import threading

from clients.checks import equal
from clients.programs import LIMIT, ROOT, Home, free_port, is_alive, listens, wait_until
from clients.service import Service

EXAMPLE = os.path.join(ROOT, "Scripts", "examples", "haproxy.cfg")
NAMES = ["one", "two", "three"]
NAME = "speech.example.org"
TOKEN = "a-token-of-all-three-servers"
CLIENTS = 4
# The number of requests after which a server is killed.
KILLED = 10
# Most texts are short. The audio of the long text exceeds the socket buffers, so its synthesis is still running when its server is killed.
TEXTS = ["Hello.", "A sentence of a client, and then another one. " * 4, "This is one sentence of a very long text. " * 200]
WEIGHTS = [6, 3, 2]


class Server(Service):
    """One of the three servers."""

    def __init__(self, home, port=0):
        self.home = home
        token = home.write(TOKEN, "token")
        os.chmod(token, 0o600)
        super().__init__(
            "--http", f"127.0.0.1:{port}", "--http-name", NAME, "--http-token-file", token, "--drain", str(LIMIT),
            home=home)

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def again(self):
        return Server(self.home, self.port)


class Balancer:
    """HAProxy with the example configuration, modified to use addresses of this machine."""

    def __init__(self, servers):
        self.home = Home()
        # Retry, because another program may take the free port.
        for _ in range(5):
            self._start(servers)
            if self.process.poll() is None:
                break
        for name in NAMES:
            self.wait(name, "UP")

    def _start(self, servers):
        self.port = free_port()
        self.socket = self.home.file("haproxy.sock")
        with open(EXAMPLE) as example:
            text = example.read()
        changes = {"bind :8880": f"bind 127.0.0.1:{self.port}", "/run/haproxy/synthhost.sock": self.socket}
        # Raise the timeouts, because a slow server is not a failure in this test.
        changes |= {"timeout http-request 15s": "timeout http-request 300s\n    timeout check 300s", "90s": "600s"}
        changes |= {f"192.0.2.1{number}:8880": f"127.0.0.1:{server.port}" for number, server in enumerate(servers, 1)}
        for there, here in changes.items():
            if there not in text:
                raise AssertionError(f"the example does not contain {there}")
            text = text.replace(there, here)
        self.log = open(self.home.file("log"), "wb")
        self.process = subprocess.Popen(
            ["haproxy", "-db", "-f", self.home.write(text, "haproxy.cfg")], stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log)
        wait_until(lambda: self.process.poll() is not None or listens(self.socket), "HAProxy starts")

    def tell(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(LIMIT)
            connection.connect(self.socket)
            connection.sendall(command.encode() + b"\n")
            return b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()

    def servers(self):
        """Returns HAProxy's counters by server."""
        head, *lines = self.tell("show stat synthhosts 4 -1").removeprefix("# ").strip().splitlines()
        rows = [dict(zip(head.split(","), line.split(","))) for line in lines]
        return {row["svname"]: row for row in rows}

    def wait(self, name, state):
        wait_until(lambda: self.servers()[name]["status"].startswith(state), f"HAProxy sees {name} {state}")

    def counted(self, what):
        return sum(int(row[what] or 0) for row in self.servers().values())

    def stop(self):
        self.process.terminate()
        self.process.wait(LIMIT)
        self.log.close()
        self.home.remove()


class Call:
    """A request and its result."""

    def __init__(self, port, text):
        self.text, self.bytes, self.server = text, 0, None
        # The host name under which clients reach the balancer.
        self.headers = {"Host": NAME, "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        self.port = port

    def run(self, after=None, wait=0):
        """Sends the request and returns the outcome: whole, cut, refused, or lost.

        If `wait` is zero, `after` is called with None as soon as the request has been sent. Otherwise, it is called with the name of the
        server when `wait` bytes have arrived."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            # Use the engine's own sample rate, because raw samples are resampled to 24 kHz, which takes longer than synthesis.
            body = json.dumps({"input": self.text, "voice": "en", "response_format": "wav"})
            connection.request("POST", "/v1/audio/speech", body, self.headers)
            if after and not wait:
                after(None)
            answer = connection.getresponse()
            self.server = answer.headers["Served-By"]
            if answer.status != 200:
                return f"refused with {answer.status}"
            while piece := answer.read1(1 << 14):
                self.bytes += len(piece)
                if after and 0 < wait <= self.bytes:
                    after(self.server)
                    after = None
            return "whole"
        except (http.client.HTTPException, OSError) as error:
            return "cut" if self.bytes else f"lost: {error!r}"
        finally:
            connection.close()


class Farm:
    """Three servers and the balancer."""

    def __init__(self):
        self.all = dict(zip(NAMES, (Server(Home()) for _ in NAMES)))
        self.balancer = Balancer(list(self.all.values()))
        # The approximate length of each text's audio. The exact number of samples differs each time.
        self.length = {text: self._length(text) for text in TEXTS}

    def call(self, text):
        return Call(self.balancer.port, text)

    def _length(self, text):
        call = self.call(text)
        equal(call.run(), "whole")
        return call.bytes

    def outcome(self, call, **more):
        """Returns the outcome of a request, or "short" if its audio is incomplete without an error."""
        end = call.run(**more)
        return "short" if end == "whole" and abs(call.bytes / self.length[call.text] - 1) > 0.01 else end

    def kill(self, name):
        """Kills a server and all its child processes immediately, like a machine failure. Returns its engine processes."""
        server = self.all[name]
        engines = server.engines()
        server.process.kill()
        server.process.wait(LIMIT)
        return engines

    def start(self, name, engines):
        """Restarts a killed server when its engines have exited."""
        wait_until(lambda: not any(map(is_alive, engines)), "the engines exit")
        self.balancer.wait(name, "DOWN")
        self.all[name] = self.all[name].again()
        self.balancer.wait(name, "UP")

    def stop(self):
        self.balancer.stop()
        homes = [server.home for server in self.all.values()]
        for server in self.all.values():
            server.stop()
        for home in homes:
            home.remove()


def run(checks, requests=100):
    farm = Farm()
    try:
        _check(checks.ok, farm, requests)
    finally:
        checks.ok("the servers behind the balancer exit and leave no processes", farm.stop)


def _check(ok, farm, requests):
    ok("HAProxy does not forward the page and /api", lambda: equal(
        [_status(farm, path) for path in ("/", "/api/voices", "/v1/audio/voices")], [404, 404, 200]))
    ok(f"if a server is killed during every tenth of {requests} requests, each request whose audio has not started is completed",
       lambda: _killing(farm, requests))
    ok("stopping a server loses no requests", lambda: _draining(farm))
    ok("a server that is drained manually receives no more requests", lambda: _drained(farm))


def _status(farm, path):
    connection = http.client.HTTPConnection("127.0.0.1", farm.balancer.port, timeout=LIMIT)
    connection.request("GET", path, headers=farm.call("").headers)
    return connection.getresponse().status


def _killing(farm, requests):
    """Runs clients that each send their own requests. During every tenth request, kills a server: alternately the server that is sending
    the audio, in the middle of it, and a random server when the request is sent."""
    numbers, told, ends = itertools.count(), threading.Lock(), collections.Counter()
    killing, killers = threading.Lock(), []

    def kill(name, turn):
        # A repeated request must not kill another server.
        if turn:
            turn.pop()
            # Kill the server before the client continues reading, because it might otherwise receive everything first.
            killer = threading.Thread(target=_start, args=(farm, name, farm.kill(name), killing))
            killers.append(killer)
            killer.start()
            ends["servers killed"] += 1

    def one(number):
        chance = random.Random(number)
        text, after, wait, turn = chance.choices(TEXTS, WEIGHTS)[0], None, 0, []
        if number % KILLED == 0:
            # Kill only one server at a time. Without any server, no request could succeed.
            killing.acquire()
            turn = [number]
            # The synthesis of the longest text is still running when its server is killed.
            text, wait = (TEXTS[-1], 20_000) if number % (2 * KILLED) else (text, 0)
            after = lambda name: kill(name or chance.choice(NAMES), turn)
        call = farm.call(text)
        end = farm.outcome(call, after=after, wait=wait)
        if turn:
            killing.release()
        with told:
            ends[end] += 1
        if end == "cut":
            # The response to the repeated request may also be truncated.
            again = next(filter("cut".__ne__, (farm.outcome(farm.call(text)) for _ in range(5))), "cut")
            with told:
                ends[f"repeated after a truncated response: {again}"] += 1

    def client():
        while (number := next(numbers)) < requests:
            one(number)

    _together(client)
    for killer in killers:
        killer.join()
    counted = {what: farm.balancer.counted(key) for what, key in (("retries", "wretr"), ("other servers", "wredis"))}
    print(f"        {dict(ends)}; by HAProxy: {counted}")
    bad = {end: count for end, count in ends.items() if end.startswith(("refused", "lost", "short"))}
    equal(bad, {})
    equal(ends["repeated after a truncated response: whole"], ends["cut"])
    equal(ends["whole"] + ends["cut"], requests)
    return ends["servers killed"] >= requests // KILLED // 2 and ends["cut"] > 0


def _start(farm, name, engines, killing):
    try:
        farm.start(name, engines)
    finally:
        killing.release()


def _together(client):
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        for done in [clients.submit(client) for _ in range(CLIENTS)]:
            done.result()


def _draining(farm):
    """Drains each server once, while all clients send requests continuously."""
    ends, is_over = collections.Counter(), threading.Event()

    def client():
        chance = random.Random(threading.get_ident())
        while not is_over.is_set():
            ends[farm.outcome(farm.call(chance.choices(TEXTS, WEIGHTS)[0]))] += 1

    def ender():
        try:
            for name in NAMES:
                before = sum(ends.values())
                wait_until(lambda: sum(ends.values()) > before + CLIENTS, "clients receive answers")
                farm.all[name].stop()
                farm.all[name] = farm.all[name].again()
                farm.balancer.wait(name, "UP")
        finally:
            is_over.set()

    with concurrent.futures.ThreadPoolExecutor(1) as other:
        ended = other.submit(ender)
        _together(client)
        ended.result()
    print(f"        {dict(ends)}")
    equal(list(ends), ["whole"])


def _drained(farm):
    farm.balancer.tell("set server synthhosts/two state drain")
    served = collections.Counter()
    for _ in range(9):
        call = farm.call(TEXTS[0])
        equal(farm.outcome(call), "whole")
        served[call.server] += 1
    farm.balancer.tell("set server synthhosts/two state ready")
    return served["two"] == 0 and len(served) == 2
