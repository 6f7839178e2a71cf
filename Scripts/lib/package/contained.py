#!/usr/bin/env python3
"""Sends requests to a service that runs in a container.

Usage: contained.py http PORT TOKEN            checks that the service is healthy, and speaks only for clients with the
                                               token
       contained.py wyoming PORT [--offered] VOICE…
                                               checks that Wyoming offers these voices, first or (--offered) anywhere, and
                                               speaks with the first
       contained.py registry FOLDER URL        prints a registry with the voice from the folder, served at this URL
"""

import hashlib
import json
import os
import socket
import sys
import urllib.error
import urllib.request

LIMIT = 120
# The maximum number of voices that a client can show. The registry has several hundred.
MANY = 250


def main():
    task, *rest = sys.argv[1:]
    {"http": http, "wyoming": wyoming, "registry": registry}[task](*rest)


def http(port, token):
    address = f"http://127.0.0.1:{port}"
    with urllib.request.urlopen(f"{address}/health", timeout=LIMIT) as answer:
        check(answer.status == 200, "the service is not healthy")
    call = urllib.request.Request(
        f"{address}/v1/audio/speech", json.dumps({"input": "Hello from a container.", "voice": "Tern"}).encode(),
        {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(call, timeout=LIMIT)
        check(False, "the service speaks for a client without a token")
    except urllib.error.HTTPError as error:
        check(error.code == 401, f"a client without a token gets {error.code}")
    call.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(call, timeout=LIMIT) as answer:
        sound = answer.read()
        check(answer.headers["Content-Type"] == "audio/mpeg" and len(sound) > 5000, f"{len(sound)} bytes are too few for speech")
    with urllib.request.urlopen(f"{address}/", timeout=LIMIT) as answer:
        check(b"<html" in answer.read(), "the page is missing")


def wyoming(port, *names):
    with socket.create_connection(("127.0.0.1", int(port)), LIMIT) as connection:
        stream = connection.makefile("rwb")
        say(stream, "describe")
        kind, data, _ = heard(stream)
        check(kind == "info", f"“describe” got the unexpected reply “{kind}”")
        voices = data["tts"][0]["voices"]
        missing = sum(not voice["installed"] for voice in voices)
        print(f"{len(voices)} voices; {missing} of them cannot speak")
        check(len(voices) < MANY, "Wyoming lists all voices of the registry")
        if names[0] == "--offered":
            check(not missing, "Wyoming lists voices that cannot speak")
            offered = [voice["description"] for voice in voices if voice["installed"]]
            check(all(any(name in line for line in offered) for name in names[1:]), f"no {names[1:]} in {offered}")
            say(stream, "synthesize", {"text": "Hello.", "voice": {"language": "en"}})
        else:
            first = {voice["description"].split(" ")[0] for voice in voices[:len(names)]}
            check(first == set(names), f"the first voices are {first}")
            check(not voices[-1]["installed"], "no voice is recommended")
            say(stream, "synthesize", {"text": "Hello.", "voice": {"name": voices[0]["name"]}})
        size = 0
        while (event := heard(stream))[0] != "audio-stop":
            check(event[0] != "error", str(event[1]))
            size += len(event[2])
        check(size > 5000, f"{size} bytes are too few for speech")


def say(stream, kind, data=None):
    stream.write(json.dumps({"type": kind, "data": data or {}}).encode() + b"\n")
    stream.flush()


def heard(stream):
    header = json.loads(stream.readline())
    data = header.get("data", {})
    if length := header.get("data_length"):
        data = json.loads(stream.read(length))
    return header["type"], data, stream.read(header.get("payload_length", 0))


def registry(folder, address):
    files = []
    for role, name in (("model", "en_US-tern-x_low.onnx"), ("config", "en_US-tern-x_low.onnx.json")):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        files.append({"role": role, "path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    voice = {
        "id": "en_US-tern-x_low", "engine": "piper", "source": "here", "name": "Tern", "language": "en-US", "files": files}
    print(json.dumps({"sources": {"here": {"url": address}}, "voices": [voice]}))


def check(holds, complaint):
    if not holds:
        raise SystemExit(complaint)


if __name__ == "__main__":
    main()
