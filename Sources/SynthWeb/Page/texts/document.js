/** The maximum length of a typed text's title, which is the beginning of its first line. */
const longestTitle = 60;

/**
 * Text to show and speak. All positions refer to the string `text`. `blocks` contains its paragraphs, headings and other blocks, each with
 * `start` and `end`. `headings` contains the headings for the table of contents.
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
    /** The chapter headings: those of the highest level that has more than one heading. */
    this.chapters = depths.find((list) => list.length > 1) ?? [];
  }

  get isEmpty() {
    return !/[\p{L}\p{N}]/u.test(this.text);
  }

  /** Returns the start, end and number of the chapter at a position, or the entire text if there are no chapters. */
  chapterAt(place) {
    const { chapters, text } = this;
    const index = chapters.findLastIndex((each) => each.start <= place);
    // Text before the first chapter is part of it.
    return { start: index > 0 ? chapters[index].start : 0, end: chapters[Math.max(index, 0) + 1]?.start ?? text.length, number: Math.max(index, 0) + 1, count: chapters.length };
  }

  /** Returns the heading above a position, or undefined before the first heading. */
  headingAt(place) {
    return this.headings.findLast((heading) => heading.start <= place);
  }

  /** Returns the start and end of the part at a position. */
  partAt(place) {
    const heading = this.headingAt(place);
    const next = this.headings.find((each) => each.start > place);
    return { start: heading?.start ?? 0, end: next?.start ?? this.text.length };
  }

  /** Returns the start of the sentence at a position, estimated from the punctuation. */
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

  /** Returns the range of the first sentence after a position, skipping white space. */
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

/** Creates a document from typed or pasted text. Line breaks within paragraphs are kept. */
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
