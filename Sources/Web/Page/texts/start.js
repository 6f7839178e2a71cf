import { announce } from "../base/announcer.js";
import { byId } from "../base/dom.js";
import { closeSheets } from "../base/sheet.js";
import { text } from "../base/words.js";
import { begin, desk, watchDesk } from "./desk.js";

/** What somebody can do who has no text yet: paste one, or hear a sample. @param speak speaks what lies here from a place on */
export function showStart(speak) {
  byId("paste").onclick = paste;
  byId("hear-sample").onclick = () => speak(0);
  for (const id of ["new-text", "new-after"]) {
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
    document.documentElement.classList.toggle("empty", isEmpty);
  };
  watchDesk("text", render);
  render();
}

/** What was copied, if the browser gives it. If not, the reader pastes it by hand. */
async function paste() {
  const field = byId("text");
  const copied = await navigator.clipboard?.readText().catch(() => "");
  field.focus();
  if (!copied?.trim()) {
    byId("open-hint").textContent = text("pasteByHand");
    return announce(text("pasteByHand"));
  }
  field.value = copied;
  field.dispatchEvent(new Event("input"));
}
