"""Voice downloads from a server on this machine, compared with curl."""

import hashlib
import http.server
import json
import os
import shutil
import threading
import time

from bench.measuring import PROGRAM, median, run, turns


class Throttle:
    """Limits the total rate of all responses."""

    def __init__(self, rate):
        self.rate, self.lock, self.free, self.answers = rate, threading.Lock(), 0.0, 0

    def __enter__(self):
        with self.lock:
            # Idle time does not permit a later burst. During a response, late wakeups are compensated for.
            if self.answers == 0:
                self.free = time.perf_counter()
            self.answers += 1

    def __exit__(self, *_):
        with self.lock:
            self.answers -= 1

    def wait(self, count):
        """Blocks until this many more bytes may be sent."""
        with self.lock:
            self.free += count / self.rate
            free = self.free
        time.sleep(max(0, free - time.perf_counter()))


class Ranges(http.server.BaseHTTPRequestHandler):
    """Serves a file, and supports range requests. Responses below /slow/ are throttled."""

    content = b""
    throttle = None
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        first, last, status = 0, len(self.content) - 1, 200
        if wanted := self.headers.get("Range"):
            bounds = wanted.removeprefix("bytes=").split("-")
            first, last, status = int(bounds[0]), min(int(bounds[1] or last), last), 206
        self.send_response(status)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(last - first + 1))
        self.send_header("ETag", '"bench"')
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(self.content)}")
        self.end_headers()
        body = memoryview(self.content)[first : last + 1]
        if not self.path.startswith("/slow/"):
            self.wfile.write(body)
            return
        size = self.throttle.rate // 50
        with self.throttle:
            for start in range(0, len(body), size):
                piece = body[start : start + size]
                self.throttle.wait(len(piece))
                self.wfile.write(piece)

    def log_message(self, *_):
        pass


def serve(content, rate=250_000):
    """- rate: the rate below /slow/, in bytes per second."""
    Ranges.content, Ranges.throttle = content, Throttle(rate)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def pull_and_curl(runs, folders, content, path):
    """Measures the download of a voice with this content. The runs alternate with the equivalent shell commands."""
    server = serve(content)
    url = f"http://127.0.0.1:{server.server_port}{path}"
    voice = {
        "id": "bench", "engine": "tone", "name": "Bench", "language": "en", "source": "bench",
        "files": [{"role": "pitch", "path": "bench.bin", "size": len(content),
                   "sha256": hashlib.sha256(content).hexdigest()}]}
    registry = {"sources": {"bench": {"url": url, "revision": "1"}}, "models": [], "voices": [voice]}
    data = folders.file(".local/share/synthhost")
    os.makedirs(data, exist_ok=True)
    with open(os.path.join(data, "models.json"), "w") as file:
        json.dump(registry, file)
    copy = folders.file("copy.bin")
    shell = f"curl -sf -o {copy} {url}bench.bin && sha256sum {copy} && sync {copy}"

    def pull():
        shutil.rmtree(os.path.join(data, "models"), ignore_errors=True)
        return run([PROGRAM, "models", "pull", "-q", "bench"], folders.environment, watch=True)

    results = turns(runs, ours=pull, theirs=lambda: run(["sh", "-c", shell], folders.environment))
    server.shutdown()
    return results["ours"], results["theirs"]


def slow(runs, megabytes, folders):
    """Pulls a voice of this size from a throttled server on this machine. The time should depend on the link, not on the program."""
    size = int(megabytes * 1_000_000)
    ours, theirs = pull_and_curl(runs, folders, os.urandom(size), "/slow/")
    rate = Ranges.throttle.rate
    seconds = lambda results: median([r["seconds"] for r in results])
    above = lambda results: round((seconds(results) - size / rate) * 1000)
    work = lambda results: round(median([r["cpu"] for r in results]) * 1e9 / size, 1)
    return [
        {"what": f"{megabytes} MB at {rate // 1000} kB/s, verified and synced to disk", "unit": "s",
         "synthhost": round(seconds(ours), 2)},
        {"what": "  curl, sha256sum, sync", "unit": "s", "synthhost": round(seconds(theirs), 2)},
        {"what": "  overhead relative to the rate limit", "unit": "ms", "synthhost": above(ours)},
        {"what": "  curl, sha256sum, sync", "unit": "ms", "synthhost": above(theirs)},
        {"what": "  processor time per MB", "unit": "ms", "synthhost": work(ours)},
        {"what": "  curl, sha256sum, sync", "unit": "ms", "synthhost": work(theirs)},
    ]


def fast(runs, megabytes, folders):
    """Pulls a voice of this size from this machine, verified and synced to disk."""
    ours, theirs = pull_and_curl(runs, folders, os.urandom(megabytes * 1_000_000), "/")
    return [
        {"what": f"{megabytes} MB, verified and synced to disk", "unit": "s",
         "synthhost": round(median([r["seconds"] for r in ours]), 2)},
        {"what": "  curl, sha256sum, sync", "unit": "s", "synthhost": round(median([r["seconds"] for r in theirs]), 2)},
        {"what": "  peak memory, largest process", "unit": "MB",
         "synthhost": round(max(r["peak"] for r in ours) / 1e6, 1)},
    ]
