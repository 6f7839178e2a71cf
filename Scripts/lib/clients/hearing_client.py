"""Sends a recording to a server in the same way as programs that use PyPI's `wyoming` and `openai`, and prints the results. Run it with
the Python that has the packages.

Usage: hearing_client.py WYOMING HTTP FILE WHAT
"""

import asyncio
import json
import sys
import wave

WYOMING, HTTP, FILE, WHAT = sys.argv[1:]
LIMIT = 600


async def _hear(client, **wish):
    """Transcribes in the same way as Home Assistant's pipeline."""
    from wyoming.asr import Transcribe
    from wyoming.audio import AudioChunk, AudioStart, AudioStop

    await client.write_event(Transcribe(**wish).event())
    with wave.open(FILE) as file:
        form = {"rate": file.getframerate(), "width": file.getsampwidth(), "channels": file.getnchannels()}
        await client.write_event(AudioStart(**form).event())
        while frames := file.readframes(1024):
            await client.write_event(AudioChunk(**form, audio=frames).event())
    await client.write_event(AudioStop().event())


async def _until(client, kind):
    events = []
    while not events or events[-1].type not in (kind, "error"):
        event = await client.read_event()
        if event is None:
            raise SystemExit("the server closed the connection")
        events.append(event)
    return events


async def pipeline(client):
    from wyoming.asr import Transcript
    from wyoming.info import Describe, Info

    await client.write_event(Describe().event())
    program = Info.from_event(await client.read_event()).asr[0]
    # Retry, because the server waits only half a minute for audio and a busy machine may pause longer.
    for _ in range(5):
        await _hear(client, language="en")
        events = await _until(client, "transcript-stop")
        if events[-1].type != "error":
            break
    transcript = Transcript.from_event(next(event for event in events if Transcript.is_type(event.type)))
    return {
        "models": {model.name: model.languages for model in program.models}, "streams": program.supports_transcript_streaming,
        "kinds": [event.type for event in events], "text": transcript.text, "language": transcript.language,
        "chunks": [event.data["text"] for event in events if event.type == "transcript-chunk"]}


async def nobody(client):
    await _hear(client, name="nobody")
    return (await _until(client, "transcript"))[-1].type


async def wyoming():
    from wyoming.client import AsyncClient

    async with AsyncClient.from_uri(WYOMING, connect_timeout=LIMIT, read_timeout=LIMIT) as client:
        return await globals()[WHAT](client)


def _transcribe(client, **more):
    with open(FILE, "rb") as file:
        return client.audio.transcriptions.create(file=file, **{"model": "whisper-1", **more})


def forms(client):
    verbose = _transcribe(
        client, response_format="verbose_json", timestamp_granularities=["word", "segment"], language="en", temperature=0,
        prompt="Numbers.")
    return {
        "json": _transcribe(client).text, "text": _transcribe(client, response_format="text"),
        "srt": _transcribe(client, response_format="srt"), "vtt": _transcribe(client, response_format="vtt"),
        "verbose_json": verbose.to_dict()}


def stream(client):
    events = list(_transcribe(client, stream=True))
    return [
        [event.type for event in events], [event.delta for event in events if event.type.endswith("delta")], events[-1].text]


def errors(client):
    import openai

    def raised(call):
        try:
            call()
        except openai.APIStatusError as error:
            return [error.status_code, error.code]
        return None

    return {
        "rubbish": raised(lambda: client.audio.transcriptions.create(file=("a.wav", b"no sound"), model="whisper-1")),
        "model": raised(lambda: _transcribe(client, model="nobody"))}


def models(client):
    return [model.id for model in client.models.list().data]


def main():
    if WHAT in ("pipeline", "nobody"):
        return asyncio.run(wyoming())
    import openai

    # Programs send a key even if none is required.
    with openai.OpenAI(base_url=f"{HTTP}/v1", api_key="not-needed", max_retries=0, timeout=LIMIT) as client:
        return globals()[WHAT](client)


print(json.dumps(main()))
