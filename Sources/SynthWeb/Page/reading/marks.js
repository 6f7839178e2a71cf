import { make } from "../base/dom.js";

/** Creates the marks for an element. Uses highlights if the browser supports them, because they leave the DOM unchanged. */
export const makeMarks = async (element) =>
  "highlights" in CSS && "Highlight" in window ? new HighlightMarks(element) : new (await import("./elements.js")).ElementMarks();

class HighlightMarks {
  constructor(element) {
    this.element = element;
    for (const name of ["sentence", "word"]) CSS.highlights.set(name, (this[name] = new Highlight()));
    // Highlights have no borders or padding, so these are drawn by an element behind the text.
    this.band = make("div", { className: "band", attributes: { "aria-hidden": "true" } });
    new ResizeObserver(() => this.draw()).observe(element);
  }

  /**
   * @param rangeOf returns the range of a sentence or word, or null if it is not in the text
   */
  set(sentence, word, rangeOf) {
    this.word.clear();
    const range = word && rangeOf(word);
    if (range) this.word.add(range);
    if (sentence === this.marked) return;
    this.marked = sentence;
    this.sentence.clear();
    this.range = sentence && rangeOf(sentence);
    if (this.range) this.sentence.add(this.range);
    this.draw();
  }

  draw() {
    const own = this.element.getBoundingClientRect();
    const lines = [...(this.range?.getClientRects() ?? [])].filter((box) => box.width > 1);
    this.band.replaceChildren(
      ...lines.map(({ left, top, width, height }) => {
        const line = make("div");
        line.style = `left: ${left - own.left}px; top: ${top - own.top}px; width: ${width}px; height: ${height}px`;
        return line;
      }),
    );
    if (lines.length > 0 && !this.band.isConnected) this.element.append(this.band);
  }

  clear() {
    this.set(null, null);
  }
}
