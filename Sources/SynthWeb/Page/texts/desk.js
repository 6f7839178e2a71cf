import { byId, debounced } from "../base/dom.js";
import { settings } from "../base/settings.js";
import { typed } from "./document.js";
import * as shelf from "./shelf.js";

const watchers = { text: [], place: [] };

/** The text on the page, which the user is writing or reading. */
export const desk = {
  id: null,
  document: typed(""),
  /** Whether the text is in the text field, where the user can edit it. */
  isWriting: true,
  isTyped: true,
  /** The position at which reading continues. */
  place: 0,
};

/** Calls `body` when the text (`text`) or the position in it (`place`) changes. */
export const watchDesk = (what, body) => watchers[what].push(body);

const tell = (what) => watchers[what].forEach((body) => body());

/** Restores the last text unless the user has already started a new one. */
export async function prepareDesk() {
  const field = byId("text");
  field.addEventListener("input", () => {
    // A restored tab also restores the text field, even if it showed a book.
    if (!desk.isWriting) return;
    write(field.value);
    keepTyped();
  });
  addEventListener("pagehide", () => desk.isWriting && desk.isDirty && keep());
  begin();
  const { id } = desk;
  const isUntouched = () => desk.id === id && desk.document.text === "";
  // The text may have been stored in a format that this version cannot read.
  if (settings.text) await take(settings.text, isUntouched).catch(() => begin());
}

/** Starts a new text. Samples are not stored. */
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

async function keep() {
  desk.isDirty = false;
  if (desk.isSample) return;
  if (desk.document.isEmpty) return shelf.remove(desk.id);
  settings.text = desk.id;
  const { document, id, place } = desk;
  const about = { title: document.title, length: document.text.length, place, isTyped: true };
  await shelf.keep(id, about, byId("text").value);
}

/** Shows a document that the service has parsed. */
export async function put(content, name) {
  const { opened } = await import("./opened.js");
  const document = opened(content, name);
  const id = shelf.nameOf(document.text);
  lay(id, document, false, shelf.entry(id)?.place ?? 0);
  const { title, authors } = document;
  await shelf.keep(id, { title, authors, length: document.text.length, isTyped: false }, { ...content, name });
}

/** Shows a stored text. Returns false if it was deleted, or if `isWanted` returns false after loading. */
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

/** Returns the document for typed text: without markup if the service can read it as Markdown, or else as plain text. */
async function asRead(content) {
  const { isMarkdown, marked } = await import("./markup.js");
  const document = isMarkdown(content) && (await marked(content).catch(() => null));
  return document && !document.isEmpty ? document : typed(content);
}

/** Returns the document to read, or a promise of it if the service must parse the text's markup. */
export const readable = () => (desk.isWriting && /[*`#>|\]-]|^\s*\d+[.)]/m.test(desk.document.text) ? withoutMarks() : desk.document);

async function withoutMarks() {
  const { isMarkdown } = await import("./markup.js");
  return isMarkdown(desk.document.text) ? asRead(desk.document.text) : desk.document;
}

export function read(document) {
  if (!desk.isWriting) return;
  desk.isWriting = false;
  desk.document = document;
  keep();
  tell("text");
}

export function edit() {
  const written = byId("text").value;
  // Positions in the texts with and without markup differ.
  if (desk.document.text !== written) Object.assign(desk, { document: typed(written), place: 0 });
  desk.isWriting = true;
  tell("text");
  byId("text").focus();
}

export function move(place) {
  if (place === desk.place) return;
  desk.place = place;
  if (shelf.entry(desk.id)) shelf.note(desk.id, { place });
  tell("place");
}
