"""Connects to a server in the same way as programs that use PyPI's `wyoming`, and prints the results. Run it with the Python that has
the package."""

import array
import asyncio
import json
import sys

from wyoming.client import AsyncClient
from wyoming.info import Describe, Info
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeVoice

LIMIT = 600
TEXT = "Hello there, this is a sentence. And this is another one."
WANTED = "English (America)"


async def heard(client, last, times=1):
    """Receives events up to the last one of a type."""
    seen = {"types": [], "bytes": 0, "peak": 0}
    while times > 0:
        event = await client.read_event()
        if event is None:
            raise SystemExit("the server closed the connection")
        if event.type != "audio-chunk" or seen["types"][-1:] != ["audio-chunk"]:
            seen["types"].append(event.type)
        if event.type == "audio-start":
            seen.update({key: event.data[key] for key in ("rate", "width", "channels")})
        if event.type == "audio-chunk":
            seen["bytes"] += len(event.payload)
            seen["peak"] = max(seen["peak"], max((abs(n) for n in array.array("h", event.payload)), default=0))
        if event.type in (last, "error"):
            times -= 1
    if "rate" in seen:
        seen["seconds"] = seen["bytes"] / (seen["rate"] * seen["width"] * seen["channels"])
    return seen


async def program(client):
    """Returns the first program, which Home Assistant selects."""
    await client.write_event(Describe().event())
    return Info.from_event(await client.read_event()).tts[0]


async def wanted(client):
    """Returns the voice as clients name it in a request after the user has chosen it by its description."""
    for voice in (await program(client)).voices:
        if voice.installed and voice.description.startswith(WANTED + " "):
            return SynthesizeVoice(name=voice.name)
    raise SystemExit(f"there is no voice {WANTED}")


async def describe(client):
    found = await program(client)
    await wanted(client)
    return {"installed": found.installed, "streams": found.supports_synthesize_streaming}


async def plain(client):
    await client.write_event(Synthesize(text=TEXT, voice=await wanted(client)).event())
    return await heard(client, "audio-stop")


async def nobody(client):
    await client.write_event(Synthesize(text=TEXT, voice=SynthesizeVoice(name="Nobody")).event())
    return await heard(client, "audio-stop")


async def twice(client):
    voice = await wanted(client)
    for text in ("One.", "Two."):
        await client.write_event(Synthesize(text=text, voice=voice).event())
    return await heard(client, "audio-stop", 2)


async def stream(client):
    voice = await wanted(client)
    await client.write_event(SynthesizeStart(voice=voice).event())
    for start in range(0, len(TEXT), 7):
        await client.write_event(SynthesizeChunk(text=TEXT[start:start + 7]).event())
    # Send the complete text again, for servers that do not support streaming.
    await client.write_event(Synthesize(text=TEXT, voice=voice).event())
    await client.write_event(SynthesizeStop().event())
    return await heard(client, "synthesize-stopped")


async def main():
    async with AsyncClient.from_uri(sys.argv[1], connect_timeout=LIMIT, read_timeout=LIMIT) as client:
        print(json.dumps(await globals()[sys.argv[2]](client)))


asyncio.run(main())
