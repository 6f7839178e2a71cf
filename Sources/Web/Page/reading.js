import { caretAt, placeIn } from "./letters.js";
import { makeMarks } from "./marks.js";

/** A text of so many letters fills the pane at any width. Of a longer one, what is out of sight is not laid out. */
const long = 10_000;

/** The text while it is read: its paragraphs, in which a sentence and a word are marked. */
export class Reading {
  constructor(element) {
    this.element = element;
    this.isFollowing = true;
    this.marks = makeMarks();
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
    this.element.classList.toggle("long", text.length > long);
    this.element.replaceChildren(parts);
    this.element.scrollTop = 0;
    this.isFollowing = true;
  }

  /** Where in the text somebody clicked; null = nowhere. */
  place({ target, clientX, clientY }) {
    const paragraph = this.paragraphs?.find((each) => each.element.contains(target));
    const offset = paragraph ? caretAt(paragraph.element, clientX, clientY) : null;
    return offset === null ? null : paragraph.start + offset;
  }

  mark(sentence, word) {
    if (sentence === this.sentence && word === this.marked) return;
    this.marks.set(sentence, word, (place) => this.range(place));
    this.sentence = sentence;
    this.marked = word;
    const place = word ?? sentence;
    if (this.isFollowing && place) this.reveal(place);
  }

  clear() {
    this.marks.clear();
    this.sentence = this.marked = null;
  }

  /** What stands between two places; null = nothing. */
  range({ start, end }) {
    const first = this.letter(start);
    const last = this.letter(Math.max(start, end - 1));
    if (!first || !last) return null;
    const range = document.createRange();
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset + 1);
    return range;
  }

  letter(place) {
    const paragraph = this.paragraph(place);
    return paragraph ? placeIn(paragraph.element, place - paragraph.start) : null;
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
