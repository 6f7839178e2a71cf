import { announce } from "../base/announcer.js";
import { byId, make } from "../base/dom.js";
import { closeSheets } from "../base/sheet.js";
import { percent, text } from "../base/words.js";
import { begin, desk, take, watchDesk } from "./desk.js";
import * as shelf from "./shelf.js";

/**
 * Shows the options for starting without text: pasting text or playing a sample.
 *
 * @param speak speaks the text from a position
 */
export function showStart(speak) {
  byId("paste").onclick = paste;
  byId("hear-sample").onclick = () => speak(0);
  for (const id of ["new-text", "to-start"]) {
    byId(id).onclick = () => {
      begin();
      closeSheets();
      byId("text").focus();
    };
  }
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  byId("open-hint").textContent = `${text("openHint")} ${text(isHere ? "staysHere" : "staysThere", { host: location.hostname })}`;
  const render = () => {
    const isEmpty = desk.document.text === "";
    byId("start").hidden = !isEmpty;
    byId("to-start").hidden = isEmpty;
    // Hide the button, because there is no text to save.
    byId("open-save").hidden = isEmpty;
    if (isEmpty) showRecent();
    document.documentElement.classList.toggle("empty", isEmpty);
  };
  watchDesk("text", render);
  render();
}

function showRecent() {
  const texts = shelf.list().slice(0, 3);
  byId("start-recent").hidden = texts.length === 0;
  byId("start-list").replaceChildren(...texts.map(({ id, title, length, place }) => {
    const read = text("readShare", { share: percent(length > 0 ? Math.min(1, place / length) : 0) });
    const names = make("span", { className: "names" }, make("span", { className: "name", textContent: title }), make("span", { className: "quiet", textContent: place > 0 ? read : text("unread") }));
    const button = make("button", { type: "button", className: "pick" }, names, make("span", { className: "go", textContent: text("resume") }));
    button.onclick = async () => {
      if (!(await take(id))) return showRecent();
      announce(text("opened", { name: title }));
      byId("speak").focus({ preventScroll: true });
    };
    return make("li", { className: "row" }, button);
  }));
}

/** Inserts the text on the clipboard if the browser permits it. Otherwise, asks the user to paste. */
async function paste() {
  const field = byId("text");
  const copied = await navigator.clipboard?.readText?.().catch(() => "");
  field.focus();
  if (!copied?.trim()) {
    byId("open-hint").textContent = text("pasteByHand");
    return announce(text("pasteByHand"));
  }
  field.value = copied;
  field.dispatchEvent(new Event("input"));
}
