/** Marks the sentence and the word with elements, nesting the word's element inside the sentence's. */
export class ElementMarks {
  made = [];

  set(sentence, word, rangeOf) {
    this.clear();
    this.wrap("span", sentence && rangeOf(sentence));
    this.wrap("mark", word && rangeOf(word));
  }

  wrap(name, range) {
    // A range across several text nodes cannot be wrapped in one element.
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
