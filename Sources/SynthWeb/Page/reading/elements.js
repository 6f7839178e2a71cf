/** Each gets an element of its own, the word inside of the sentence. */
export class ElementMarks {
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
