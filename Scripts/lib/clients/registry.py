"""A local voice server that the tests can slow down or make fail. It serves the small voices of the tests."""

import hashlib
import http.server
import json
import os
import sys
import threading

from clients.programs import ROOT

VOICES = os.path.join(ROOT, "Tests", "Fixtures", "Voices")
NAMES = {"en_US-tern-x_low": "Tern", "en_US-flock-x_low": "Flock", "en_US-rook-x_low": "Rook"}
QUALITIES = {"Tern": "high", "Flock": "medium", "Rook": "x_low"}
# The scripted recognizer's texts for the first audio segment and for all others. The file is as long as a small voice.
SCRIPT = "Hello, world. | 0.9\nAnd so on. | 0.8\n" + ("x" * 400 + "\n") * 500
# Voices that are served with the files of another voice, because their own audio is not needed.
SAME = {"en_US-rook-x_low": "en_US-flock-x_low"}


class QuietServer(http.server.ThreadingHTTPServer):
    """A server that does not report an error if a client closes its connection early."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Registry:
    def __init__(self):
        # While this is cleared, files are sent very slowly.
        self.is_fast = threading.Event()
        self.is_fast.set()
        self.fails = False
        files = {}
        for name in NAMES:
            for ending in [".onnx", ".onnx.json"]:
                with open(os.path.join(VOICES, SAME.get(name, name) + ending), "rb") as file:
                    files[f"/{name}{ending}"] = file.read()
        files["/script.txt"] = SCRIPT.encode()
        self.server = QuietServer(("127.0.0.1", 0), self._handler(files))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.files = files
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def text(self):
        """Returns the content of `models.json`."""
        def file(role, path):
            content = self.files[f"/{path}"]
            return {"role": role, "path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}

        voices = [
            {"id": name, "engine": "piper", "name": title, "language": "en-US", "accent": "American",
             "quality": QUALITIES[title], "gender": "female" if title == "Tern" else "male", "starter": number, "source": "here",
             "files": [file("model", name + ".onnx"), file("config", name + ".onnx.json")]}
            for number, (name, title) in enumerate(NAMES.items(), 1)]
        return json.dumps({
            "engines": {"espeak-ng": {"first": True, "fallback": 1}},
            "sources": {"here": {"url": self.url, "revision": "1"}}, "models": [], "voices": voices,
            "recognizerModels": [{
                "id": "script-of-the-checks", "recognizer": "scripted", "name": "Script of the checks", "languages": ["en"],
                "license": "MIT", "starter": 1, "source": "here", "files": [file("script", "script.txt")]}]})

    def stop(self):
        self.server.shutdown()

    def _handler(registry, files):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                content = files.get(self.path)
                if content is None or registry.fails:
                    self.send_error(503 if registry.fails else 404)
                    return
                start = int((self.headers.get("Range") or "bytes=0-")[6:].split("-")[0])
                self.send_response(206 if start else 200)
                if start:
                    self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
                self.send_header("Content-Length", str(len(content) - start))
                self.end_headers()
                while start < len(content):
                    # Cut the connection here on request.
                    if registry.fails:
                        self.close_connection = True
                        return
                    piece = content[start:start + (65536 if registry.is_fast.is_set() else 4096)]
                    try:
                        self.wfile.write(piece)
                    except ConnectionError:
                        # The download was cancelled.
                        self.close_connection = True
                        return
                    start += len(piece)
                    registry.is_fast.wait(0.5)

        return Handler
