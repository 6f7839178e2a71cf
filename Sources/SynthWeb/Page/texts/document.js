/** What a text that was typed is called by: so much of its first line. */
const longestTitle = 60;

/**
 * A text as it is shown and spoken. All places are in `text`, which is one string:
 * `blocks` are its paragraphs, headings and the like with `start` and `end`, `headings` those that the contents show.
 */
export class Document {
  constructor(text, blocks, { title = "", authors = [], language = "", headings = [], isBook = false } = {}) {
    this.text = text;
    this.blocks = blocks;
    this.title = title;
    this.authors = authors;
    this.language = language;
    this.headings = headings;
    this.isBook = isBook;
    const depths = [0, 1, 2].map((depth) => headings.filter((each) => each.depth === depth));
    /** The headings that chapters begin with: the highest of which there are several. */
    this.chapters = depths.find((list) => list.length > 1) ?? [];
  }

  /** Whether there is anything to say. */
  get isEmpty() {
    return !/[\p{L}\p{N}]/u.test(this.text);
  }

  /** The chapter with a place: where it begins and ends, and its number; the whole text if it has none. */
  chapterAt(place) {
    const { chapters, text } = this;
    const index = chapters.findLastIndex((each) => each.start <= place);
    // What stands before the first one is told with it.
    return { start: index > 0 ? chapters[index].start : 0, end: chapters[Math.max(index, 0) + 1]?.start ?? text.length, number: Math.max(index, 0) + 1, count: chapters.length };
  }

  /** The heading that a place is below; undefined before the first. */
  headingAt(place) {
    return this.headings.findLast((heading) => heading.start <= place);
  }

  /** Where the part with a place begins and ends. */
  partAt(place) {
    const heading = this.headingAt(place);
    const next = this.headings.find((each) => each.start > place);
    return { start: heading?.start ?? 0, end: next?.start ?? this.text.length };
  }

  /** Where the sentence at a place begins, as far as one can tell by its signs. */
  sentenceAt(place) {
    const block = this.blockAt(place);
    const start = block ? Math.min(block.start, place) : 0;
    const before = this.text.slice(start, place + 1);
    const ends = [...before.matchAll(/[.!?…。！？]["'”’»)\]]*\s+|\n/gu)];
    return start + (ends.length ? ends.at(-1).index + ends.at(-1)[0].length : 0);
  }

  /** Where the sentence ends that begins at a place. */
  sentenceEnd(start) {
    const end = this.blockAt(start)?.end ?? this.text.length;
    const found = this.text.slice(start, end).match(/[.!?…。！？]["'”’»)\]]*(?=\s)/u);
    return found ? start + found.index + found[0].length : end;
  }

  /** The sentence that is read next from a place on: behind one there is room first. */
  sentenceFrom(place) {
    const gap = this.text.slice(place).search(/\S/);
    const start = Math.min(place + Math.max(0, gap), Math.max(0, this.text.length - 1));
    return { start, end: this.sentenceEnd(start) };
  }

  blockAt(place) {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.blocks[middle].end <= place) low = middle + 1;
      else high = middle;
    }
    return this.blocks[low];
  }
}

/** A text that somebody typed or pasted: paragraphs, with their lines as they are. */
export function typed(text) {
  const blocks = [];
  let start = 0;
  for (const part of text.split(/(?<=\n[ \t]*\n)/)) {
    const own = part.trimEnd();
    if (own) blocks.push({ kind: "typed", start, end: start + own.length });
    start += part.length;
  }
  const line = text.trim().split("\n")[0] ?? "";
  const title = line.length > longestTitle ? `${line.slice(0, longestTitle).trimEnd()}…` : line;
  return new Document(text, blocks, { title });
}
