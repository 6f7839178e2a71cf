import { aligned } from "./aligned.js";

/** The pause in seconds that starts a new paragraph. */
const longPause = 2;

/**
 * A transcript: text, and its words with their times in seconds and their positions in the text. It can be stored in the database as is.
 */
export const empty = () => ({ text: "", words: [], end: 0 });

/**
 * Returns the transcript with an additional part.
 *
 * @param part `text`, `start`, `end`, and optionally `words`, each with `start`, `end`, and the positions `from` and `to` in that text.
 *   Without `words`, the times of the words are estimated
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

/** Returns the words of a text that has no word times. The duration is divided among the words by length. */
function spread(text, start, end) {
  const perLetter = (end - start) / Math.max(1, text.length);
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: start + index * perLetter, end: start + (index + word.length) * perLetter, from: index, to: index + word.length,
  }));
}

/** Returns the transcript with edited text. Unchanged words keep their times. Changed words share the time between unchanged words. */
export function edited(transcript, text) {
  if (text === transcript.text) return transcript;
  const places = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));
  const known = transcript.words.map((word) => ({ ...word, word: transcript.text.slice(word.from, word.to) }));
  return { ...transcript, text, words: aligned(known, places) };
}

/** Returns the index of the last word that starts at or before a time, or -1 if there is none. */
export function wordAt({ words }, seconds) {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle].start <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the title of a transcript in a list, which is its beginning. */
export const titleOf = ({ text }, longest = 70) => {
  const line = text.split("\n")[0];
  return line.length > longest ? `${line.slice(0, longest).replace(/\s+\S*$/, "")} …` : line;
};
