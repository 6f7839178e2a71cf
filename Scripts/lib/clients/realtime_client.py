"""Uses the realtime WebSocket in the same way as programs that use Debian's `websockets` or PyPI's `openai`, and prints the results. Run
it with a Python that has them.

Usage: realtime_client.py HTTP WHAT
"""

import array
import asyncio
import base64
import json
import math
import sys

HTTP, WHAT = sys.argv[1:]
LIMIT = 600
COMPLETED = "conversation.item.input_audio_transcription.completed"


def said(rate):
    """Returns a second of audio that a loudness detector classifies as speech, and a pause."""
    samples = [
        int(math.sin(place / rate * 4400) * (0.5 + 0.45 * math.sin(place / rate * 25)) * 20000) for place in range(rate)]
    return array.array("h", samples + [0] * rate).tobytes()


def pieces(sound, size):
    return [sound[place:place + size] for place in range(0, len(sound), size)]


async def socket():
    """Uses a plain WebSocket client: binary frames, fragmented messages, pings, and the closing handshake."""
    import websockets

    address = HTTP.replace("http://", "ws://") + "/v1/realtime?intent=transcription"
    headers = {"Origin": HTTP}
    name = "extra_headers" if int(websockets.__version__.split(".")[0]) < 14 else "additional_headers"
    async with websockets.connect(address, subprotocols=["realtime"], compression="deflate", **{name: headers}) as client:
        seen = [json.loads(await client.recv())]
        text = json.dumps({"type": "session.update", "session": {
            "include": ["synthhost"], "audio": {"input": {"format": {"type": "audio/pcm", "rate": 16000}}}}})
        await client.send(pieces(text, 7))
        await asyncio.wait_for(await client.ping(b"there?"), LIMIT)
        for piece in pieces(said(16000), 1280):
            await client.send(piece)
        await client.send(json.dumps({"type": "synthhost.finish"}))
        async for event in client:
            seen.append(json.loads(event))
        whole = next(event for event in seen if event["type"] == COMPLETED)
        deltas = [event["delta"] for event in seen if event["type"].endswith("transcription.delta")]
        extensions = client.extensions if hasattr(client, "extensions") else client.protocol.extensions
        return {
            "protocol": client.subprotocol, "extensions": len(extensions), "code": client.close_code,
            "kinds": [event["type"] for event in seen], "deltas": "".join(deltas), "text": whole["transcript"],
            "words": [word["word"] for word in whole["words"]], "stable": [
                event["stable"] + event["text"] for event in seen if event["type"] == "synthhost.tentative"]}


async def transcription():
    """Connects in the same way as OpenAI's own client."""
    async with connection(extra_query={"intent": "transcription"}) as client:
        await client.session.update(session={
            "type": "transcription", "audio": {"input": {
                "format": {"type": "audio/pcm", "rate": 24000}, "transcription": {"model": "whisper-1", "language": "en"},
                "turn_detection": {"type": "server_vad", "silence_duration_ms": 500}}}})
        for piece in pieces(said(24000), 4800):
            await client.input_audio_buffer.append(audio=base64.b64encode(piece).decode())
        kinds, deltas = [], []
        async for event in client:
            kinds.append(event.type)
            if event.type.endswith("transcription.delta"):
                deltas.append(event.delta)
            if event.type in (COMPLETED, "error"):
                return {
                    "kinds": kinds, "deltas": "".join(deltas), "text": getattr(event, "transcript", None),
                    "classes": type(event).__name__}


async def speech():
    """Requests speech for an item's text."""
    async with connection(model="gpt-realtime") as client:
        await client.session.update(session={"type": "realtime", "audio": {"output": {"voice": "alloy", "speed": 1.25}}})
        await client.conversation.item.create(item={
            "type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello there, this is spoken."}]})
        await client.response.create()
        sound, kinds, text = b"", [], ""
        async for event in client:
            kinds.append(event.type)
            if event.type == "response.output_audio.delta":
                sound += base64.b64decode(event.delta)
            if event.type == "response.output_audio_transcript.done":
                text = event.transcript
            if event.type in ("response.done", "error"):
                status = getattr(getattr(event, "response", None), "status", None)
                return {
                    "kinds": kinds, "seconds": len(sound) / 48000, "loud": max(map(abs, array.array("h", sound)), default=0),
                    "text": text, "status": status}


def connection(**more):
    import openai

    # Programs send a key even if none is required.
    return openai.AsyncOpenAI(base_url=f"{HTTP}/v1", api_key="not-needed").realtime.connect(**more)


print(json.dumps(asyncio.run(asyncio.wait_for(globals()[WHAT](), LIMIT))))
