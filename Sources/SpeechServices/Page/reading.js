/** The text while it is read: its paragraphs, in which a sentence and a word are marked. */
export class Reading {
  constructor(element) {
    this.element = element;
    this.isFollowing = true;
    this.highlights = "highlights" in CSS ? { sentence: new Highlight(), word: new Highlight() } : null;
    if (this.highlights) {
      CSS.highlights.set("sentence", this.highlights.sentence);
      CSS.highlights.set("word", this.highlights.word);
    }
    // Who scrolls by hand reads somewhere else.
    for (const event of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      element.addEventListener(event, ({ key }) => key !== "Tab" && (this.isFollowing = false), { passive: true });
    }
  }

  show(text, language) {
    this.clear();
    this.paragraphs = [];
    this.element.lang = language;
    let start = 0;
    const parts = document.createDocumentFragment();
    for (const part of text.split(/(?<=\n\s*\n)/)) {
      const paragraph = document.createElement("p");
      paragraph.textContent = part;
      parts.append(paragraph);
      this.paragraphs.push({ start, end: start + part.length, element: paragraph });
      start += part.length;
    }
    this.element.replaceChildren(parts);
    this.element.scrollTop = 0;
    this.isFollowing = true;
  }

  /** Where in the text somebody clicked; null = nowhere. */
  place(event) {
    const position = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const range = position ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const node = position?.offsetNode ?? range?.startContainer;
    const paragraph = this.paragraphs?.find((each) => each.element.contains(node));
    return paragraph ? paragraph.start + (position?.offset ?? range.startOffset) : null;
  }

  mark(sentence, word) {
    if (sentence === this.sentence && word === this.marked) return;
    if (this.highlights) {
      this.set(this.highlights.sentence, sentence);
      this.set(this.highlights.word, word);
    } else {
      this.wrap(word);
    }
    this.sentence = sentence;
    this.marked = word;
    const place = word ?? sentence;
    if (this.isFollowing && place) this.reveal(place);
  }

  clear() {
    this.highlights?.sentence.clear();
    this.highlights?.word.clear();
    this.unwrap();
    this.sentence = this.marked = null;
  }

  set(highlight, place) {
    highlight.clear();
    const range = place && this.range(place);
    if (range) highlight.add(range);
  }

  range({ start, end }) {
    const paragraph = this.paragraph(start);
    const node = paragraph?.element.firstChild;
    if (!node) return null;
    const range = document.createRange();
    range.setStart(node, Math.min(start - paragraph.start, node.length));
    const last = this.paragraph(Math.max(start, end - 1));
    const lastNode = last.element.firstChild;
    range.setEnd(lastNode, Math.min(end - last.start, lastNode.length));
    return range;
  }

  paragraph(place) {
    let low = 0;
    let high = (this.paragraphs?.length ?? 0) - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.paragraphs[middle].end <= place) low = middle + 1;
      else high = middle;
    }
    return this.paragraphs?.[low];
  }

  /** For browsers that cannot mark a range: the word gets an element of its own. */
  wrap(word) {
    this.unwrap();
    const range = word && this.range(word);
    if (!range || range.startContainer !== range.endContainer) return;
    this.wrapped = document.createElement("mark");
    range.surroundContents(this.wrapped);
  }

  unwrap() {
    const paragraph = this.wrapped?.parentElement;
    if (!paragraph) return;
    this.wrapped.replaceWith(...this.wrapped.childNodes);
    paragraph.normalize();
    this.wrapped = null;
  }

  reveal(place) {
    const range = this.range(place);
    if (!range) return;
    const box = range.getBoundingClientRect();
    const view = this.element.getBoundingClientRect();
    if (box.height === 0 || (box.top >= view.top && box.bottom <= view.bottom)) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.element.scrollBy({
      top: box.top - view.top - view.height / 3,
      behavior: isCalm ? "instant" : "smooth",
    });
  }
}
