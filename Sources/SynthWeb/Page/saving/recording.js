import { events, send } from "../base/api.js";
import { order, waveHead } from "../voices/speech.js";

/** The formats that can be streamed. In other formats, the header contains the length, so the file must be complete first. */
const streamed = { mp3: "mp3", opus: "opus", wav: "pcm" };

/**
 * Speaks text into a file. Returns the audio and its sentences with their times. Throws if the connection is lost, so that partial audio
 * is not mistaken for the complete file.
 *
 * @param onProgress receives the fraction of the text that has been spoken, if it is known, and the number of bytes
 */
export async function record(voice, input, format, wantsTimes, signal, onProgress) {
  if (!streamed[format] && !wantsTimes) return whole(voice, input, format, signal, onProgress);
  const more = { response_format: streamed[format] ?? format, stream_format: "sse", timestamps: true };
  const answer = await send("POST", "v1/audio/speech", order(voice, input, more), signal);
  const length = new TextEncoder().encode(input).length;
  const parts = [];
  const cues = [];
  let count = 0;
  let isWhole = false;
  for await (const event of events(answer)) {
    if (event.type === "speech.audio.delta") {
      const part = Uint8Array.from(atob(event.audio), (letter) => letter.charCodeAt(0));
      parts.push(part);
      count += part.length;
      onProgress(cues.length ? cues.at(-1).end / length : 0, count);
    } else if (event.type === "speech.sentence") {
      cues.push({ time: event.time, start: event.start, end: event.end });
    } else if (event.type === "speech.audio.done") {
      isWhole = true;
    } else if (event.type === "error") {
      throw new Error(event.error?.message ?? "");
    }
  }
  if (!isWhole) throw new Error("");
  if (streamed[format] === "pcm") parts.unshift(waveHead(count));
  return { blob: new Blob(parts), cues };
}

async function whole(voice, input, format, signal, onProgress) {
  const answer = await send("POST", "v1/audio/speech", order(voice, input, { response_format: format, stream: false }), signal);
  const reader = answer.body.getReader();
  const parts = [];
  let count = 0;
  while (true) {
    const { value, done } = await reader.read();
    if (done) return { blob: new Blob(parts), cues: [] };
    parts.push(value);
    onProgress(null, (count += value.length));
  }
}
