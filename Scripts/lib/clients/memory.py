"""Checks a service's memory during and after bursts of work. Part of the recognition tests: uses their server and the scripted
recognizer."""

import collections
import concurrent.futures
import http.client
import json
import socket
import time

from clients.programs import LIMIT, wait_until

MEGABYTE = 1 << 20
# The maximum memory growth after a burst. If the service does not return freed memory to the system, the growth is 27 MB after 60
# recordings, and 60 to 200 MB after 2000 abandoned requests.
STAYS = 20 * MEGABYTE
# The service's limit for queued audio, plus all other memory that 60 clients need.
PEAK = (96 + 96) * MEGABYTE
RATE = 16000


def check(ok, server):
    """Runs the checks. `server` accepts Wyoming and HTTP."""
    warm_up(server)
    rest = settled(server)
    ok("60 simultaneous recordings over Wyoming stay within their limit and leave no memory allocated",
       lambda: burst(server, rest, 60, lambda: hear(server), PEAK))
    ok("20 simultaneous transcriptions leave no memory allocated", lambda: burst(server, rest, 20, lambda: transcribe(server)))
    ok("200 abandoned speech requests leave no memory allocated", lambda: burst(server, rest, 20, lambda: abandon(server, 10)))


def warm_up(server):
    transcribe(server)
    request(server, "/v1/audio/speech", json.dumps({"input": "Hello."}), "application/json")


def settled(server):
    """Returns the service's memory in bytes, once the service has almost no unused memory left to release."""
    last = None
    for _ in range(40):
        time.sleep(0.5)
        now = server.memory()
        if last is not None and last - now < MEGABYTE // 4 and server.is_idle():
            return now
        last = now
    raise AssertionError("the memory of the service does not settle, or the service is never idle")


def burst(server, rest, count, work, peak=None):
    """Runs `work` many times concurrently, and measures the peak memory and the growth."""
    server.forget_peak()
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        results = collections.Counter(future.result() for future in [pool.submit(work) for _ in range(count)])
    if not results["done"]:
        raise AssertionError(f"no request succeeded: {results}")
    most = server.peak()
    if peak and most - rest > peak:
        raise AssertionError(f"{(most - rest) / MEGABYTE:.0f} MB was allocated; the limit is {peak / MEGABYTE:.0f} MB")
    wait_until(lambda: server.is_idle(), "all requests end")
    stays = wait_until(lambda: (left := settled(server) - rest) < STAYS and max(left, 1), "memory is returned", limit=60)
    print(f"        at most {most / MEGABYTE:.0f} MB; {stays / MEGABYTE:.0f} MB remains in addition to the initial {rest / MEGABYTE:.0f} MB; {dict(results)}")


def event(kind, data=None, payload=b""):
    body = json.dumps(data or {}).encode()
    head = {"type": kind, "version": "1", "data_length": len(body), "payload_length": len(payload)}
    return json.dumps(head).encode() + b"\n" + body + payload


def hear(server):
    """Sends a minute of audio as fast as the server accepts it. Many concurrent clients exceed the limit."""
    shape = {"rate": RATE, "width": 2, "channels": 1}
    host, port = server.wyoming.removeprefix("tcp://").rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), timeout=LIMIT) as client, client.makefile("rb") as answers:
            client.sendall(event("transcribe") + event("audio-start", shape))
            for _ in range(60):
                client.sendall(event("audio-chunk", shape, server.second_of_sound))
            client.sendall(event("audio-stop"))
            while line := answers.readline():
                head = json.loads(line)
                answers.read(head.get("data_length", 0) + head.get("payload_length", 0))
                if head["type"] in ("transcript", "error"):
                    return "done" if head["type"] == "transcript" else "refused"
    except OSError:
        # The server rejects the audio while the client is still sending.
        return "refused"
    return "refused"


def request(server, path, body, kind):
    host = server.address.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=LIMIT)
    try:
        connection.request("POST", path, body, {"Content-Type": kind})
        answer = connection.getresponse()
        answer.read()
        return "done" if answer.status == 200 else "refused"
    finally:
        connection.close()


def transcribe(server):
    with open(server.talk, "rb") as file:
        sound = file.read()
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
    return request(server, "/v1/audio/transcriptions", head + sound + b"\r\n--x--\r\n", "multipart/form-data; boundary=x")


def abandon(server, count):
    host, port = server.address.removeprefix("http://").rsplit(":", 1)
    body = json.dumps({"input": "This is a text that no client listens to until its end. " * 20}).encode()
    for _ in range(count):
        with socket.create_connection((host, int(port)), timeout=LIMIT) as client:
            client.sendall(b"POST /v1/audio/speech HTTP/1.1\r\nHost: %s:%s\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n" % (host.encode(), port.encode(), len(body)) + body)
            client.recv(100)
    return "done"
