"""Sends requests to a server in the same way as programs that use PyPI's `openai`, and prints the results. Run it with the Python that
has the package.

Usage: openai_client.py ADDRESS FOLDER PROGRAM WHAT…
"""

import asyncio
import base64
import concurrent.futures
import json
import os
import sys
import time
import urllib.request

import openai

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from clients import service  # noqa: E402
from clients.programs import LIMIT  # noqa: E402

ADDRESS, FOLDER, PROGRAM = sys.argv[1:4]
VOICE = "English (America)"
TEXT = "Hello there, this is a sentence. And this is another one."
# Text for ten minutes of audio, which exceeds the socket buffers.
SENTENCES = 200
LONG = " ".join(f"This is the sentence with the number {number} of many." for number in range(SENTENCES))
FORMATS = ["wav", "pcm", "mp3", "opus", "flac"]
# Programs send a key even if none is required.
OPTIONS = {"base_url": f"{ADDRESS}/v1", "api_key": "not-needed", "max_retries": 0, "timeout": LIMIT}


def asked(text=TEXT, **more):
    return {"model": "tts-1", "voice": VOICE, "input": text, **more}


def file(name):
    return os.path.join(FOLDER, name)


def status():
    return service.status(os.environ, PROGRAM)


def plain(client):
    answer = client.audio.speech.create(**asked(response_format="wav"))
    answer.write_to_file(file("plain.wav"))
    return answer.response.headers["content-type"]


def nothing_said(client):
    """Sends a request without a format."""
    answer = client.audio.speech.create(**asked())
    answer.write_to_file(file("usual.mp3"))
    return answer.response.headers["content-type"]


def stream(client):
    seen = None
    with concurrent.futures.ThreadPoolExecutor(1) as other, client.audio.speech.with_streaming_response.create(**asked(LONG, response_format="pcm")) as answer:
        with open(file("stream.pcm"), "wb") as output:
            for piece in answer.iter_bytes(4096):
                output.write(piece)
                seen = seen or other.submit(status)
                # Read a little in the meantime, because a client that reads nothing for a minute is disconnected.
                concurrent.futures.wait([seen], timeout=1)
    return {"running at the first bytes": seen.result()["speeches"]["running"]}


def streamed_file(client):
    with client.audio.speech.with_streaming_response.create(**asked(response_format="wav")) as answer:
        answer.stream_to_file(file("streamed.wav"))


def whole(client):
    """Requests a complete file in one response. Returns the length in its header and the actual length."""
    answer = client.audio.speech.create(**asked(response_format="wav"), extra_body={"stream": False})
    content = answer.content
    with open(file("whole.wav"), "wb") as output:
        output.write(content)
    start = content.index(b"data") + 8
    return {"length": answer.response.headers.get("content-length") == str(len(content)),
            "says": int.from_bytes(content[start - 4:start], "little") == len(content) - start}


def not_here(_):
    """Requests a voice that is not downloaded, with a client that retries if a retry may help. Returns the number of requests."""
    with urllib.request.urlopen(f"{ADDRESS}/api/voices", timeout=LIMIT) as answer:
        voices = json.load(answer)["voices"]
    missing = [voice["key"] for voice in voices if voice["state"] == "notDownloaded"]
    if not missing:
        return "every voice is installed"
    asked_for = []
    http = openai.DefaultHttpxClient(event_hooks={"request": [asked_for.append]})
    with openai.OpenAI(**OPTIONS | {"max_retries": 2}, http_client=http) as client:
        raised = _raised(lambda: client.audio.speech.create(**asked() | {"voice": missing[0]}))
    return {"raised": raised, "asked": len(asked_for)}


def formats(client):
    for name in FORMATS:
        with open(file(f"format.{name}"), "wb") as output:
            output.write(client.audio.speech.create(**asked(response_format=name)).content)


def speed(client):
    for name, factor in (("slow", 0.5), ("quick", 2.0)):
        client.audio.speech.create(**asked(response_format="wav", speed=factor)).write_to_file(file(f"{name}.wav"))


def more(client):
    """Passes extensions through `extra_body`. Settings that a server does not know are ignored."""
    loud, low = (
        client.audio.speech.create(
            **asked(response_format="wav", instructions="Speak kindly."),
            extra_body={"volume": volume, "normalization_options": {"normalize": False}}).content
        for volume in (1, 0.25))
    for name, content in (("loud.wav", loud), ("low.wav", low)):
        with open(file(name), "wb") as output:
            output.write(content)


def errors(client):
    speech = client.audio.speech.create
    damaged = {"cast_to": object, "content": b'{"input": ', "options": {"headers": {"Content-Type": "application/json"}}}
    calls = {
        "unknown voice": lambda: speech(**asked() | {"voice": "Nobody"}),
        "empty text": lambda: speech(**asked("")),
        "only spaces": lambda: speech(**asked(" \n ")),
        "too long": lambda: speech(**asked("a" * ((1 << 20) + 1))),
        "aac": lambda: speech(**asked(response_format="aac")),
        "speed": lambda: speech(**asked(speed=9)),
        "damaged": lambda: client.post("/audio/speech", **damaged),
        "no model": lambda: client.models.retrieve("nothing"),
        "no path": lambda: client.get("/nowhere", cast_to=object),
    }
    return {what: _raised(call) for what, call in calls.items()}


def _raised(call):
    try:
        call()
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code, error.param, bool(error.body.get("message"))]
    return None


def models(client):
    listed = client.models.list().data
    return {"listed": [model.id for model in listed], "one": client.models.retrieve(listed[0].id).id,
            "objects": sorted({model.object for model in listed})}


def events(client):
    kinds, sound = [], b""
    with client.audio.speech.with_streaming_response.create(
            **asked(response_format="pcm", stream_format="sse"), extra_body={"timestamps": True}) as answer:
        words = []
        for line in filter(None, answer.iter_lines()):
            event = json.loads(line.removeprefix("data: "))
            kinds.append(event["type"])
            if event["type"] == "speech.audio.delta":
                sound += base64.b64decode(event["audio"], validate=True)
            if event["type"] == "speech.word":
                words.append((event["text"], event["time"], TEXT.encode()[event["start"]:event["end"]].decode()))
        kind = answer.headers["content-type"]
    with open(file("events.pcm"), "wb") as output:
        output.write(sound)
    return {"content": kind, "last": kinds[-1], "sentences": kinds.count("speech.sentence"), "words": words,
            "usage": sorted(event.get("usage", {}))}


def together(_):
    """Sends eight concurrent requests. Returns the length of each one's audio, and the lengths for the same texts in sequence."""
    texts = [f"Number {number}. " * (number + 1) for number in range(8)]

    async def length(client, text):
        return len((await client.audio.speech.create(**asked(text, response_format="pcm"))).content)

    async def main():
        async with openai.AsyncOpenAI(**OPTIONS) as client:
            return (await asyncio.gather(*(length(client, text) for text in texts)),
                    [await length(client, text) for text in texts])

    at_once, after = asyncio.run(main())
    return {"at once": at_once, "one after the other": after}


def leave(client):
    """Closes the connection in the middle of the audio."""
    before = status()["utterances"]
    with client.audio.speech.with_streaming_response.create(**asked(LONG, response_format="wav")) as answer:
        next(answer.iter_bytes(1024))

    # The request ends as soon as the client has disconnected. A sentence is cancelled only if the engine was not waiting for the
    # connection.
    def is_over(now):
        return now["speeches"] == {"running": 0, "waiting": 0}

    deadline = time.monotonic() + LIMIT
    while not is_over(now := status()) and time.monotonic() < deadline:
        time.sleep(0.05)
    spoken = client.audio.speech.create(**asked("Still here.", response_format="pcm")).content
    ended = sum(now["utterances"][end] - before[end] for end in ("spoken", "cancelled"))
    return {"speeches": now["speeches"], "stopped": ended < SENTENCES, "failed": now["utterances"]["failed"] - before["failed"],
            "speaks": len(spoken) > 10_000}


def main():
    with openai.OpenAI(**OPTIONS) as client:
        print(json.dumps({what: globals()[what](client) for what in sys.argv[4:]}))


if __name__ == "__main__":
    main()
