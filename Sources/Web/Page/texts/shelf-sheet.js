import { announce } from "../base/announcer.js";
import { byId, make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { closeSheets, onOpen } from "../base/sheet.js";
import { percent, text } from "../base/words.js";
import { begin, desk, take } from "./desk.js";
import * as shelf from "./shelf.js";

/** The sheet of the texts that were read last. */
export function showShelf() {
  onOpen("shelf", render);
  byId("new-text").onclick = () => {
    begin();
    closeSheets();
    byId("text").focus();
  };
  byId("open-other").addEventListener("click", closeSheets);
  byId("forget-all").onclick = async () => {
    await shelf.removeAll();
    render();
    byId("shelf-note").focus();
    announce(text("forgotten"));
    byId("new-text").focus();
  };
}

function render() {
  const texts = shelf.list();
  byId("shelf-list").replaceChildren(...texts.map(row));
  byId("shelf-note").textContent = text(texts.length ? "shelfNote" : "shelfEmpty");
  byId("forget-all").hidden = texts.length === 0;
}

function row({ id, title, length, place }) {
  const read = length > 0 ? Math.min(1, place / length) : 0;
  const pick = make(
    "button",
    { type: "button", className: "pick" },
    make(
      "span",
      { className: "names" },
      make("span", { className: "name", textContent: title }),
      make("span", { className: "quiet", textContent: read > 0 ? text("readShare", { share: percent(read) }) : text("unread") }),
    ),
  );
  pick.onclick = async () => {
    if (id !== desk.id && !(await take(id))) announce(text("forgotten"));
    closeSheets();
  };
  const remove = make("button", { type: "button", className: "round", title: text("forget") }, icon("remove"));
  remove.setAttribute("aria-label", text("ofVoice", { what: text("forget"), voice: title }));
  remove.onclick = async () => {
    await shelf.remove(id);
    render();
    announce(text("forgotten"));
    (byId("shelf-list").querySelector("button") ?? byId("new-text")).focus();
  };
  const current = id === desk.id ? " chosen" : "";
  return make("li", { className: `row${current}` }, pick, make("div", { className: "actions" }, remove));
}
