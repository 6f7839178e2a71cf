import { announce } from "../base/announcer.js";
import { byId, make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { settings } from "../base/settings.js";
import { closeSheets } from "../base/sheet.js";
import { about, percent, text } from "../base/words.js";
import { perLetter } from "../voices/tuning.js";
import { selected } from "../voices/voices.js";
import { desk, take } from "./desk.js";
import * as shelf from "./shelf.js";

/** Prepares the sheet with the recent texts. Called before it opens. */
export function openShelf() {
  byId("forget-all").onclick = () => forget(...shelf.list());
  render();
}

function render(gone = []) {
  const texts = shelf.list();
  byId("shelf-list").replaceChildren(...texts.map(row));
  byId("shelf-recent").hidden = texts.length === 0;
  byId("forget-all").hidden = texts.length < 2;
  const note = byId("shelf-note");
  note.textContent = text(gone.length ? "forgotten" : texts.length ? "shelfNote" : "shelfEmpty");
  if (gone.length === 0) return;
  const undo = make("button", { type: "button", id: "undo", textContent: text("undo") });
  undo.onclick = async () => {
    for (const { about, content } of gone) await shelf.keep(about.id, about, content);
    render();
    byId("shelf-list").querySelector("button").focus();
  };
  note.append(" ", undo);
}

/** Removes texts from the list. They can be restored until the user does something else. */
async function forget(...texts) {
  const gone = [];
  for (const about of texts.reverse()) {
    gone.push({ about, content: await shelf.load(about.id) });
    await shelf.remove(about.id);
  }
  render(gone);
  announce(text("forgotten"));
  byId("undo").focus();
}

function row(entry) {
  const { id, title, authors = [], length, place } = entry;
  const read = length > 0 ? Math.min(1, place / length) : 0;
  const facts = [authors.join(", "), text("left", { time: about(((length - place) * perLetter(selected())) / (settings.tempo ?? 1)) }), read > 0 ? text("readShare", { share: percent(read) }) : text("unread")];
  const pick = make(
    "button",
    { type: "button", className: "pick" },
    make(
      "span",
      { className: "names" },
      make("span", { className: "name", textContent: title }),
      make("span", { className: "quiet", textContent: facts.filter(Boolean).join(" · ") }),
      make("progress", { max: 1, value: read, attributes: { "aria-hidden": "true" } }),
    ),
  );
  pick.onclick = async () => {
    const isOpen = id === desk.id || (await take(id));
    announce(text(isOpen ? "opened" : "forgotten", { name: title }));
    closeSheets();
  };
  const remove = make("button", { type: "button", className: "round", title: text("forget") }, icon("remove"));
  remove.setAttribute("aria-label", text("ofVoice", { what: text("forget"), voice: title }));
  remove.onclick = () => forget(entry);
  const current = id === desk.id ? " chosen" : "";
  return make("li", { className: `row${current}` }, pick, make("div", { className: "actions" }, remove));
}
