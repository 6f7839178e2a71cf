import { announce } from "../base/announcer.js";
import { byId, make } from "../base/dom.js";
import { text } from "../base/words.js";
import { canPlay, go } from "./playback.js";
import { added, edited, empty, wordAt } from "./transcript.js";

export let transcript = empty();
let spans = [];
let marked = null;
let isAtEnd = true;
let onEdit = () => {};

/**
 * Handles clicks on words, and editing.
 *
 * @param change is called after an edit
 */
export function preparePaper(change) {
  onEdit = change;
  const paper = byId("heard");
  paper.onclick = ({ target }) => {
    const number = spans.indexOf(target);
    if (number >= 0 && getSelection().isCollapsed) play(number);
  };
  paper.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !canPlay() || spans.length === 0) return;
    if (step) mark(Math.max(0, Math.min(spans.length - 1, spans.indexOf(marked) + step)), true);
    else if (event.key === "Enter" && marked) play(spans.indexOf(marked));
    else return;
    event.preventDefault();
  };
  const field = byId("heard-field");
  field.oninput = () => (field.style.minHeight = `${field.scrollHeight}px`);
  addEventListener("scroll", () => (isAtEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 120), { passive: true });
}

const play = (number) => go(transcript.words[number].start);

/** Shows another transcript. */
export function lay(content) {
  transcript = content;
  spans = [];
  marked = null;
  isAtEnd = true;
  byId("heard").replaceChildren(tail);
  append(0, 0);
  showTail("", "");
  show(false);
}

export function addPart(part) {
  const { length } = transcript.text;
  const count = transcript.words.length;
  transcript = added(transcript, part);
  if (transcript.text.length === length) return;
  append(length, count);
  // Make screen readers announce each final sentence once, but no preliminary text.
  announce(part.text.trim());
  keepInSight();
}

const stable = make("span", { className: "stable" });
const tentative = make("span", { className: "tentative" });
const tail = make("p", { className: "tail" }, stable, tentative);

/** Shows preliminary text, which has a stable and a tentative part. */
export function showTail(sure, unsure) {
  stable.textContent = sure;
  tentative.textContent = unsure;
  tail.hidden = !sure && !unsure;
  if (!tail.hidden) keepInSight();
}

/** Appends the text from a position, with its words from an index. */
function append(from, count) {
  const { text: whole, words } = transcript;
  let place = from;
  let block = tail.previousElementSibling;
  const gap = (until) => {
    const parts = whole.slice(place, until).split("\n\n");
    parts.forEach((part, index) => {
      if (index > 0 || !block) tail.before((block = make("p")));
      if (part) block.append(part);
    });
    place = until;
  };
  for (const word of words.slice(count)) {
    gap(word.from);
    if (!block) tail.before((block = make("p")));
    const span = make("span", { textContent: whole.slice(word.from, word.to) });
    spans.push(span);
    block.append(span);
    place = word.to;
  }
  if (place < whole.length) gap(whole.length);
}

function keepInSight() {
  if (isAtEnd) scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}

/** Marks the word that is playing. */
export function markAt(seconds, isShown) {
  mark(isShown ? wordAt(transcript, seconds + 0.02) : -1, false);
}

function mark(number, isByKey) {
  const span = spans[number] ?? null;
  if (span === marked) return;
  marked?.classList.remove("now");
  span?.classList.add("now");
  marked = span;
  if (isByKey) {
    span.scrollIntoView({ block: "nearest" });
    announce(span.textContent);
  }
}

/** Shows the editor or the transcript. */
export function show(isEditing) {
  byId("heard").hidden = isEditing;
  byId("heard-field").hidden = !isEditing;
  const button = byId("heard-edit");
  button.querySelector(".words").textContent = text(isEditing ? "editDone" : "edit");
  button.className = isEditing ? "main" : "soft";
  if (!isEditing) return;
  const field = byId("heard-field");
  field.value = transcript.text;
  field.focus();
  field.setSelectionRange(0, 0);
  field.oninput();
}

export const isEditing = () => !byId("heard-field").hidden;

/** Applies the edits. */
export function takeEdits() {
  if (!isEditing()) return;
  const changed = edited(transcript, byId("heard-field").value.trim());
  const isChanged = changed !== transcript;
  lay(changed);
  if (isChanged) onEdit();
}
