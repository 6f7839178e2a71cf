import { events, send, ServerError } from "../base/api.js";
import { tuning } from "./tuning.js";

/** The sample rate that the page requests, in hertz. */
const rate = 24000;

/** Returns the request for a voice with this browser's settings. */
export function order(voice, input, more) {
  const { rate: speed, pitch, volume } = tuning(voice);
  return { model: voice.engine, voice: voice.key, input, speed, pitch, volume, profile: false, ...more };
}

/**
 * Speaks text and yields its sentences as they are generated. Each sentence has its audio, its duration in seconds, and its words with
 * their times and positions in the text. Throws if the connection is lost, after the complete sentences have been yielded.
 */
export async function* sentences(voice, input, signal) {
  const places = new Places(input);
  const more = { response_format: "pcm", stream_format: "sse", timestamps: true };
  const answer = await send("POST", "v1/audio/speech", order(voice, input, more), signal).catch((error) => {
    // The text may contain nothing to speak, for example only dots.
    if (error instanceof ServerError && error.code === "nothing_to_say") return null;
    throw error;
  });
  if (!answer) return;
  const sound = new Sound();
  let open = null;
  let isWhole = false;
  const close = (end) => {
    const piece = sound.piece(end);
    return { ...open.given, words: open.words, ...piece };
  };
  for await (const event of events(answer)) {
    switch (event.type) {
      case "speech.audio.delta":
        sound.add(event.audio);
        break;
      case "speech.sentence":
        if (open) yield close(event.time);
        open = {
          time: event.time,
          given: { start: places.index(event.start), end: places.index(event.end) },
          words: [],
        };
        break;
      case "speech.word":
        open?.words.push({
          time: event.time - open.time,
          start: places.index(event.start),
          end: places.index(event.end),
        });
        break;
      case "speech.audio.done":
        isWhole = true;
        break;
      case "error":
        throw new Error(event.error?.message ?? "");
    }
  }
  if (!isWhole) throw new Error("");
  // If an engine does not report sentences, treat the text as a single sentence.
  if (!open && sound.length > 0) open = { time: 0, given: { start: 0, end: input.length }, words: [] };
  if (open) yield close(Infinity);
}

export async function whole(voice, input, signal) {
  const answer = await send("POST", "v1/audio/speech", order(voice, input, { response_format: "wav" }), signal);
  return answer.blob();
}

/** Converts positions in UTF-8 bytes to positions in a string. */
class Places {
  constructor(input) {
    const encoder = new TextEncoder();
    this.indices = [];
    let index = 0;
    for (const character of input) {
      const count = encoder.encode(character).length;
      for (let byte = 0; byte < count; byte += 1) this.indices.push(index);
      index += character.length;
    }
    this.end = index;
  }

  index(byte) {
    return this.indices[byte] ?? this.end;
  }
}

/** Received 16-bit samples, split into segments. */
class Sound {
  parts = [];
  /** The number of bytes received, and how many of them have been returned as segments. */
  length = 0;
  taken = 0;

  add(base64) {
    const part = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    this.parts.push(part);
    this.length += part.length;
  }

  /** Returns the audio up to a time in seconds as a WAV file. */
  piece(end) {
    const stop = Math.min(end === Infinity ? this.length : Math.round(end * rate) * 2, this.length);
    const length = Math.max(0, stop - this.taken);
    this.taken += length;
    const pieces = [];
    let left = length;
    while (left > 0) {
      const part = this.parts.shift();
      const count = Math.min(left, part.length);
      pieces.push(part.subarray(0, count));
      if (count < part.length) this.parts.unshift(part.subarray(count));
      left -= count;
    }
    return { blob: new Blob([waveHead(length), ...pieces], { type: "audio/wav" }), seconds: length / 2 / rate };
  }
}

/**
 * Returns the header of a 16-bit mono WAV file.
 *
 * @param hertz the sample rate
 */
export function waveHead(length, hertz = rate) {
  const view = new DataView(new ArrayBuffer(44));
  const letters = (at, word) => [...word].forEach((letter, number) => view.setUint8(at + number, letter.charCodeAt(0)));
  letters(0, "RIFF");
  view.setUint32(4, 36 + length, true);
  letters(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, hertz, true);
  view.setUint32(28, hertz * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  letters(36, "data");
  view.setUint32(40, length, true);
  return view.buffer;
}
