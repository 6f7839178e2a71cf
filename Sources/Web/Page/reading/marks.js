/** What marks a sentence and a word: highlights, which leave the page as it is, where the browser has them. */
export const makeMarks = () => ("highlights" in CSS && "Highlight" in window ? new HighlightMarks() : new ElementMarks());

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

/** Each gets an element of its own, the word inside of the sentence. */
class ElementMarks {
  made = [];

  set(sentence, word, rangeOf) {
    this.clear();
    this.wrap("span", sentence && rangeOf(sentence));
    this.wrap("mark", word && rangeOf(word));
  }

  wrap(name, range) {
    // What goes over the border of a paragraph cannot have an element of its own.
    if (!range || range.startContainer !== range.endContainer) return;
    const element = document.createElement(name);
    element.className = name === "span" ? "sentence" : "word";
    range.surroundContents(element);
    this.made.push(element);
  }

  clear() {
    for (const element of this.made.splice(0).reverse()) {
      const parent = element.parentElement;
      element.replaceWith(...element.childNodes);
      parent?.normalize();
    }
  }
}
