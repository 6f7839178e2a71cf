import { stamp } from "../saving/subtitles.js";

/** The maximum line length, in UTF-16 code units. A subtitle has up to two lines. */
const lineLength = 42;
/** Times in seconds: a subtitle's maximum duration, its minimum duration if the next one starts late enough, and the pause that ends it. */
const [longest, shortest, pause] = [7, 1, 0.8];

/**
 * Creates the subtitles for a transcript.
 *
 * @param form "srt" or "vtt"
 */
export function subtitles(transcript, form) {
  const cues = split(transcript);
  const parts = cues.map(({ start, end, text }, index) => {
    const next = cues[index + 1]?.start ?? Infinity;
    const until = Math.max(Math.min(Math.max(end, start + shortest), next), start + 0.01);
    return `${form === "srt" ? `${index + 1}\n` : ""}${stamp(start, form)} --> ${stamp(until, form)}\n${wrapped(text)}\n`;
  });
  return `${form === "vtt" ? "WEBVTT\n\n" : ""}${parts.join("\n")}`;
}

/** Groups words into subtitles. */
function split({ text, words }) {
  const cues = [];
  let open = null;
  words.forEach((word, index) => {
    // Include the punctuation that follows the word.
    const until = words[index + 1]?.from ?? text.length;
    const piece = text.slice(word.from, until);
    const whole = open ? text.slice(open.from, until).trimEnd() : "";
    const isOver = open && (!fits(whole) || word.end - open.start > longest || word.start - open.end >= pause || open.isEnd);
    if (!open || isOver) cues.push((open = { start: word.start, from: word.from }));
    open.end = Math.min(word.end, open.start + longest);
    open.text = flat(text.slice(open.from, until));
    open.isEnd = /\n\n/.test(piece) || (/[.!?…。！？]["'”’»)]*\s*$/u.test(piece) && open.text.length > lineLength / 2);
  });
  return cues.filter((cue) => cue.text);
}

const flat = (text) => text.replace(/\s+/g, " ").trim();

const fits = (text) => wrapped(flat(text)).split("\n").every((line, index) => index < 2 && line.length <= lineLength);

/** Wraps long text into two lines of similar length without splitting words. */
function wrapped(text) {
  if (text.length <= lineLength) return text;
  let best = null;
  for (const { index } of text.matchAll(/ /g)) {
    const length = Math.max(index, text.length - index - 1);
    if (!best || length < best.length) best = { index, length };
  }
  // Text without spaces is split at the maximum length.
  if (!best) return `${text.slice(0, lineLength)}\n${text.slice(lineLength)}`;
  return `${text.slice(0, best.index)}\n${text.slice(best.index + 1)}`;
}
