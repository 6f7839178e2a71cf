/** The title of a typed text is the beginning of its first line, up to this length. */
const longestTitle = 60;

/**
 * A text that is shown and spoken. All positions are in the string `text`. `blocks` are its paragraphs, headings and other blocks with
 * `start` and `end`, `headings` are the headings in the table of contents.
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
    /** The headings of the highest level that has several: they start chapters. */
    this.chapters = depths.find((list) => list.length > 1) ?? [];
  }

  get isEmpty() {
    return !/[\p{L}\p{N}]/u.test(this.text);
  }

  /** The start, the end and the number of the chapter at a position; the whole text if there are no chapters. */
  chapterAt(place) {
    const { chapters, text } = this;
    const index = chapters.findLastIndex((each) => each.start <= place);
    // Text before the first chapter belongs to it.
    return { start: index > 0 ? chapters[index].start : 0, end: chapters[Math.max(index, 0) + 1]?.start ?? text.length, number: Math.max(index, 0) + 1, count: chapters.length };
  }

  /** The heading above a position; undefined before the first. */
  headingAt(place) {
    return this.headings.findLast((heading) => heading.start <= place);
  }

  /** The start and the end of the part at a position. */
  partAt(place) {
    const heading = this.headingAt(place);
    const next = this.headings.find((each) => each.start > place);
    return { start: heading?.start ?? 0, end: next?.start ?? this.text.length };
  }

  /** The start of the sentence at a position, estimated from the punctuation. */
  sentenceAt(place) {
    const block = this.blockAt(place);
    const start = block ? Math.min(block.start, place) : 0;
    const before = this.text.slice(start, place + 1);
    const ends = [...before.matchAll(/[.!?…。！？]["'”’»)\]]*\s+|\n/gu)];
    return start + (ends.length ? ends.at(-1).index + ends.at(-1)[0].length : 0);
  }

  sentenceEnd(start) {
    const end = this.blockAt(start)?.end ?? this.text.length;
    const found = this.text.slice(start, end).match(/[.!?…。！？]["'”’»)\]]*(?=\s)/u);
    return found ? start + found.index + found[0].length : end;
  }

  /** The range of the sentence that is read next from a position on. White space before it is skipped. */
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

/** A typed or pasted text: its paragraphs keep their line breaks. */
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
