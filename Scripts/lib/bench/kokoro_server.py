"""A typical HTTP service around kokoro-onnx: FastAPI on uvicorn, one process, with streamed audio. Run it with the Python
that has the packages.

Usage: kokoro_server.py MODEL VOICES PORT
"""

import struct
import sys

import numpy
import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from kokoro_onnx import Kokoro
from pydantic import BaseModel

RATE = 24_000
# The header of a WAV file whose length is not known yet.
HEAD = struct.pack(
    "<4sI4s4sIHHIIHH4sI", b"RIFF", 0xFFFFFFFF, b"WAVE", b"fmt ", 16, 1, 1, RATE, RATE * 2, 2, 16, b"data", 0xFFFFFFFF)


class Call(BaseModel):
    input: str
    voice: str
    speed: float = 1.0


def application(engine):
    app = FastAPI()

    async def sound(call):
        yield HEAD
        async for samples, _ in engine.create_stream(call.input, voice=call.voice, speed=call.speed, lang="en-us"):
            yield (numpy.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()

    @app.post("/v1/audio/speech")
    async def speech(call: Call):
        return StreamingResponse(sound(call), media_type="audio/wav")

    return app


def main():
    model, voices, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    uvicorn.run(application(Kokoro(model, voices)), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
