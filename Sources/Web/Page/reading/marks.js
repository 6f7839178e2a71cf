/** What marks a sentence and a word: highlights, which leave the page as it is, where the browser has them. */
export const makeMarks = async () =>
  "highlights" in CSS && "Highlight" in window ? new HighlightMarks() : new (await import("./elements.js")).ElementMarks();

class HighlightMarks {
  constructor() {
    for (const name of ["sentence", "word"]) CSS.highlights.set(name, (this[name] = new Highlight()));
  }

  /** @param rangeOf gives the range of a sentence or a word; null = there is none */
  set(sentence, word, rangeOf) {
    this.clear();
    for (const [highlight, place] of [[this.sentence, sentence], [this.word, word]]) {
      const range = place && rangeOf(place);
      if (range) highlight.add(range);
    }
  }

  clear() {
    this.sentence.clear();
    this.word.clear();
  }
}
