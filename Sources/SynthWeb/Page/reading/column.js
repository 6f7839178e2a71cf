import { byId, isCalm, make } from "../base/dom.js";
import { text } from "../base/words.js";
import { caretAt } from "./caret.js";
import { placeIn } from "./letters.js";

/** The length of text, in UTF-16 code units, above which invisible blocks are not laid out. */
const long = 10_000;
/** The maximum number of blocks that are laid out together. */
const most = 24;
/** The estimated characters per line in blocks without layout. */
const line = 62;

/** The formatted text with its marks. It scrolls with the page. */
export class Column {
  /**
   * @param marks the object that marks a sentence and a word
   */
  constructor(element, marks) {
    this.element = element;
    this.isFollowing = true;
    this.marks = marks;
    this.elements = [];
    this.onLeave = () => {};
    // A user who scrolls is reading elsewhere, so stop following the speech.
    const leave = () => {
      if (this.element.hidden) return;
      this.isFollowing = false;
      this.onLeave();
    };
    for (const event of ["wheel", "touchmove"]) addEventListener(event, (each) => inSheet(each) || leave(), { passive: true });
    const keys = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
    addEventListener("keydown", (each) => keys.includes(each.key) && !inSheet(each) && !each.target.closest("input, select") && leave());
    // If the column's width changes, scroll to the marked sentence again.
    let width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (width !== contentRect.width && this.isFollowing) this.reveal();
      width = contentRect.width;
    }).observe(element);
    // A click on the page's scroll bar targets the root element.
    addEventListener("pointerdown", (each) => each.target === document.documentElement && leave());
  }

  show(document) {
    this.clear();
    this.document = document;
    this.element.lang = document.language;
    this.element.classList.toggle("long", document.text.length > long);
    this.element.classList.toggle("book", document.isBook);
    this.elements = [];
    const parts = [];
    let part = null;
    for (const block of document.blocks) {
      if (!part || block.begins || part.children.length >= most) {
        part = make("div", { className: "part" });
        part.lines = 0;
        parts.push(part);
      }
      const element = elementOf(block, document.text);
      this.elements.push(element);
      part.append(element);
      part.lines += Math.ceil((block.end - block.start) / line) + 0.6;
    }
    for (const each of parts) each.style.containIntrinsicBlockSize = `auto ${Math.round(each.lines * 1.65)}em`;
    this.element.replaceChildren(...cover(document), ...parts);
    this.isFollowing = true;
  }

  /** Returns the text position of a click, or null if it is outside the text. */
  async place({ target, clientX, clientY }) {
    const index = this.elements.findIndex((each) => each.contains(target));
    if (index < 0) return null;
    const { start, end } = this.document.blocks[index];
    if (start === end) return null;
    const offset = await caretAt(this.elements[index], clientX, clientY);
    return offset === null ? null : start + Math.min(offset, end - start - 1);
  }

  /** Returns the first visible position below the header. */
  placeInSight() {
    const element = this.elements.find((each) => each.getBoundingClientRect().bottom > 80);
    return this.document.blocks[this.elements.indexOf(element)]?.start ?? 0;
  }

  mark(sentence, word) {
    if (sentence === this.sentence && word === this.marked) return;
    this.marks.set(sentence, word, (place) => this.range(place));
    this.sentence = sentence;
    this.marked = word;
    if (this.isFollowing) this.reveal();
  }

  clear() {
    this.marks.clear();
    this.sentence = this.marked = null;
  }

  /** Scrolls to the marked sentence and keeps following the marks. */
  follow() {
    this.isFollowing = true;
    this.reveal();
  }

  get isInSight() {
    const box = this.box();
    return !box || (box.bottom > 60 && box.top < this.bottom);
  }

  reveal() {
    const room = this.bottom - 72;
    // Show the entire sentence if it leaves enough space for the text after it.
    const whole = this.sentence && this.range(this.sentence)?.getBoundingClientRect();
    const box = whole?.height <= room * 0.7 ? whole : this.box();
    if (!box || box.height === 0 || (box.top >= 72 && box.bottom <= this.bottom - 16)) return;
    const distance = box.top - 72 - Math.max(0, Math.min(room * 0.3, room - box.height - 16));
    const isFar = Math.abs(distance) > 2 * innerHeight;
    scrollBy({ top: distance, behavior: isFar || isCalm() ? "instant" : "smooth" });
    if (isFar) requestAnimationFrame(() => this.isFollowing && this.reveal());
  }

  /** Scrolls a position to the top. Repeats, because blocks are laid out only when they become visible. */
  jump(place, steps = 4) {
    const block = this.document?.blockAt(place);
    const element = this.elements[this.document?.blocks.indexOf(block)];
    const distance = element ? element.getBoundingClientRect().top - 96 : 0;
    if (Math.abs(distance) > 1) scrollBy({ top: distance, behavior: "instant" });
    if (element && steps > 1) requestAnimationFrame(() => this.jump(place, steps - 1));
  }

  box() {
    const place = this.marked ?? this.sentence;
    return place ? this.range(place)?.getBoundingClientRect() : null;
  }

  /** The top edge of the player, which covers the bottom of the window. */
  get bottom() {
    return byId("player").getBoundingClientRect().top;
  }

  /** Returns the range between two positions, or null if it is empty. */
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
    const blocks = this.document?.blocks ?? [];
    const block = this.document?.blockAt(place);
    const element = this.elements[blocks.indexOf(block)];
    if (!element) return null;
    // For a position between two blocks, use the last character of the first block.
    const within = Math.max(0, Math.min(place, block.end - 1) - block.start);
    return placeIn(element, within);
  }
}

const inSheet = (event) => event.target.closest?.("dialog, .player");

function cover({ title, authors }) {
  if (authors.length === 0) return [];
  const names = make("p", { className: "quiet", textContent: authors.join(", ") });
  return [make("header", { className: "cover" }, make("p", { className: "name", textContent: title }), names)];
}

/** Creates the element for a block. Headings start at level 2, below the page title. */
function elementOf({ kind, start, end, level, depth, number, quoted, language, shown }, whole) {
  const name = kind === "heading" ? `h${Math.min(6, level + 1)}` : kind === "code" ? "pre" : "p";
  const classes = ["block", kind, quoted && "quoted"].filter(Boolean).join(" ");
  const element = make(name, { className: classes, textContent: shown ?? whole.slice(start, end) });
  if (language) element.lang = language;
  if (kind === "item") {
    element.dataset.mark = number === undefined ? "•" : `${number}.`;
    element.style.setProperty("--depth", Math.min(depth, 6));
  }
  if (kind === "figure") element.title = text("picture");
  return element;
}
