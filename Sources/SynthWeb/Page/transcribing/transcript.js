import { aligned } from "./aligned.js";

/** After a pause of so many seconds a new paragraph begins. */
const longPause = 2;

/**
 * A transcript as a value: a text, and its words with their times in seconds and their places in it. All of it may be written to
 * the store as it is.
 */
export const empty = () => ({ text: "", words: [], end: 0 });

/**
 * The transcript with one more part behind it.
 *
 * @param part `text`, `start`, `end`, and `words` with `start`, `end` and places `from` and `to` in that text; none = not known
 */
export function added(transcript, { text, start, end, words }) {
  const said = text.trim();
  if (!said) return transcript;
  const before = transcript.text;
  const isParagraph = before && start - transcript.end >= longPause && /[.!?…。！？]["'”’»)]*$/u.test(before);
  const gap = before === "" ? "" : isParagraph ? "\n\n" : " ";
  const moved = before.length + gap.length - (text.length - text.trimStart().length);
  const timed = words?.length ? words : spread(text, start, end);
  return {
    text: before + gap + said,
    words: [...transcript.words, ...timed.map((word) => ({ start: word.start, end: word.end, from: word.from + moved, to: word.to + moved }))],
    end,
  };
}

/** The words of a text whose times nobody knows: each gets its share by its letters. */
function spread(text, start, end) {
  const perLetter = (end - start) / Math.max(1, text.length);
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: start + index * perLetter, end: start + (index + word.length) * perLetter, from: index, to: index + word.length,
  }));
}

/** The transcript as somebody has rewritten it: words that stayed keep their times, others get some between them. */
export function edited(transcript, text) {
  if (text === transcript.text) return transcript;
  const places = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));
  const known = transcript.words.map((word) => ({ ...word, word: transcript.text.slice(word.from, word.to) }));
  return { ...transcript, text, words: aligned(known, places) };
}

/** The word that is spoken at a time, or the last one before it; -1 = none yet. */
export function wordAt({ words }, seconds) {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle].start <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What it is called in a list: how it begins. */
export const titleOf = ({ text }, longest = 70) => {
  const line = text.split("\n")[0];
  return line.length > longest ? `${line.slice(0, longest).replace(/\s+\S*$/, "")} …` : line;
};
