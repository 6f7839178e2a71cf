#!/usr/bin/env python3
"""Serves the small voices of the tests on this machine like a mirror, over HTTP and over TLS.

Usage: voices.py FOLDER; writes into the folder `models.json`, which has an unreachable address for the voices;
`authority.crt`, which signed the server's certificate; and finally `mirrors`, the two addresses, one per line.
"""

import hashlib
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import threading

VOICES = pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Fixtures" / "Voices"
NAMES = {"en_US-tern-x_low": "Tern", "en_US-flock-x_low": "Flock"}
HOST = "voices.invalid"


class Mirror(http.server.BaseHTTPRequestHandler):
    """Serves files from a folder that is named after their original host."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path.removeprefix(f"/{HOST}/")
        if name == self.path or "/" in name or not (VOICES / name).is_file():
            self.send_error(404)
            return
        content = (VOICES / name).read_bytes()
        first = int((self.headers.get("Range") or "bytes=0-")[6:].split("-")[0])
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - first))
        self.end_headers()
        self.wfile.write(content[first:])

    def log_message(self, *_):
        pass


def registry():
    def file(role, name):
        content = (VOICES / name).read_bytes()
        return {"role": role, "path": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    return {
        "sources": {"here": {"url": f"https://{HOST}/", "revision": "1"}}, "models": [],
        "voices": [
            {"id": name, "engine": "piper", "name": title, "language": "en-US", "source": "here",
             "files": [file("model", f"{name}.onnx"), file("config", f"{name}.onnx.json")]}
            for name, title in NAMES.items()]}


def certificate(folder):
    """Creates a certificate authority, and a certificate for this machine that it has signed."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, stderr=subprocess.DEVNULL)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"]
    openssl("req", "-x509", *key, "-keyout", "authority.key", "-out", "authority.crt", "-days", "2",
            "-subj", "/CN=Authority of a test")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.crt", "-CAkey", "authority.key", "-days", "2",
            "-extfile", "names", "-out", "server.crt")


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "models.json").write_text(json.dumps(registry()))
    certificate(folder)
    plain, safe = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mirror) for _ in range(2))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.crt", folder / "server.key")
    safe.socket = context.wrap_socket(safe.socket, server_side=True)
    threading.Thread(target=plain.serve_forever, daemon=True).start()
    (folder / "mirrors.new").write_text(f"http://127.0.0.1:{plain.server_port}/\nhttps://127.0.0.1:{safe.server_port}/\n")
    os.rename(folder / "mirrors.new", folder / "mirrors")
    safe.serve_forever()


if __name__ == "__main__":
    main()
