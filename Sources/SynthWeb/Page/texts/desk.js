import { byId, debounced } from "../base/dom.js";
import { settings } from "../base/settings.js";
import { typed } from "./document.js";
import * as shelf from "./shelf.js";

const watchers = { text: [], place: [] };

/** The text that lies on the page: one that is being written, or one that is read. */
export const desk = {
  id: null,
  document: typed(""),
  /** Whether it is in the field, where it can be changed. */
  isWriting: true,
  /** Whether somebody typed it here. */
  isTyped: true,
  /** Where reading goes on. */
  place: 0,
};

/** Calls `body` when another text lies here or it has changed, or when the place in it is another one. */
export const watchDesk = (what, body) => watchers[what].push(body);

const tell = (what) => watchers[what].forEach((body) => body());

/** Restores the last text, unless another one was begun meanwhile. */
export async function prepareDesk() {
  const field = byId("text");
  field.addEventListener("input", () => {
    // A browser that restores a tab fills the field, also below a book.
    if (!desk.isWriting) return;
    write(field.value);
    keepTyped();
  });
  addEventListener("pagehide", () => desk.isWriting && desk.isDirty && keep());
  begin();
  const { id } = desk;
  const isUntouched = () => desk.id === id && desk.document.text === "";
  // What an older page kept may be of no use to this one.
  if (settings.text) await take(settings.text, isUntouched).catch(() => begin());
}

/** A new text to write. A sample is not remembered. */
export function begin(content = "", isSample = false) {
  if (desk.isDirty) keep();
  const id = `t${Date.now().toString(36)}`;
  Object.assign(desk, { id, isTyped: true, isWriting: true, isSample, place: 0, isDirty: false });
  byId("text").value = content;
  desk.document = typed(content);
  tell("text");
}

function write(content) {
  desk.document = typed(content);
  desk.place = 0;
  desk.isDirty = true;
  desk.isSample = false;
  tell("text");
}

const keepTyped = debounced(400, () => desk.isDirty && keep());

/** Remembers the text that somebody has typed. */
async function keep() {
  desk.isDirty = false;
  if (desk.isSample) return;
  if (desk.document.isEmpty) return shelf.remove(desk.id);
  settings.text = desk.id;
  const { document, id, place } = desk;
  const about = { title: document.title, length: document.text.length, place, isTyped: true };
  await shelf.keep(id, about, byId("text").value);
}

/** Puts what the service has read here. */
export async function put(content, name) {
  const { opened } = await import("./opened.js");
  const document = opened(content, name);
  const id = shelf.nameOf(document.text);
  lay(id, document, false, shelf.entry(id)?.place ?? 0);
  const { title, authors } = document;
  await shelf.keep(id, { title, authors, length: document.text.length, isTyped: false }, { ...content, name });
}

/** Puts a text here that is remembered; false if it is gone, or is not wanted any more when it has come. */
export async function take(id, isWanted = () => true) {
  const about = shelf.entry(id);
  const content = about && (await shelf.load(id));
  if (content === undefined || !isWanted()) return false;
  if (about.isTyped) {
    const document = about.place > 0 ? await asRead(content) : typed(content);
    if (!isWanted()) return false;
    lay(id, document, true, about.place);
    byId("text").value = content;
  } else {
    const { opened } = await import("./opened.js");
    if (!isWanted()) return false;
    lay(id, opened(content, content.name), false, about.place);
  }
  shelf.note(id, {});
  return true;
}

function lay(id, document, isTyped, place) {
  if (desk.isDirty) keep();
  settings.text = id;
  const isWriting = isTyped && place === 0;
  Object.assign(desk, { id, document, isTyped, isWriting, isSample: false, place: Math.min(place, document.text.length), isDirty: false });
  tell("text");
}

/** A text that was typed as it is read: in Markdown without its marks, if the service can tell which they are. */
async function asRead(content) {
  const { isMarkdown, marked } = await import("./markup.js");
  const document = isMarkdown(content) && (await marked(content).catch(() => null));
  return document && !document.isEmpty ? document : typed(content);
}

/** The text that lies here as it is read; a promise if it has marks, which the service may have to read. */
export const readable = () => (desk.isWriting && /[*`#>|\]-]|^\s*\d+[.)]/m.test(desk.document.text) ? withoutMarks() : desk.document);

async function withoutMarks() {
  const { isMarkdown } = await import("./markup.js");
  return isMarkdown(desk.document.text) ? asRead(desk.document.text) : desk.document;
}

/** From now on it is read, as this document, and not written. */
export function read(document) {
  if (!desk.isWriting) return;
  desk.isWriting = false;
  desk.document = document;
  keep();
  tell("text");
}

/** From now on it can be changed. */
export function edit() {
  const written = byId("text").value;
  // The places in a text without its marks are others.
  if (desk.document.text !== written) Object.assign(desk, { document: typed(written), place: 0 });
  desk.isWriting = true;
  tell("text");
  byId("text").focus();
}

/** Remembers how far it is read. */
export function move(place) {
  if (place === desk.place) return;
  desk.place = place;
  if (shelf.entry(desk.id)) shelf.note(desk.id, { place });
  tell("place");
}
