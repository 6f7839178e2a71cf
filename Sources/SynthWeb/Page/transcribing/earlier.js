import { announce } from "../base/announcer.js";
import { byId, make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { clock, language, text } from "../base/words.js";
import * as store from "./store.js";
import { titleOf } from "./transcript.js";

/**
 * Shows the stored transcripts.
 *
 * @param open shows a transcript
 * @param forget deletes a transcript
 */
export async function showEarlier(current, open, forget) {
  const entries = await store.list();
  byId("heard-earlier").hidden = entries.length === 0;
  const remove = async (...gone) => {
    for (const { id } of gone) await store.remove(id);
    forget(gone.map(({ id }) => id));
    announce(text("forgotten"));
    await showEarlier(current, open, forget);
    const undo = byId("heard-undo");
    undo.hidden = false;
    undo.onclick = async () => {
      for (const entry of gone) await store.keep(entry);
      undo.hidden = true;
      await showEarlier(current, open, forget);
      byId("heard-list").querySelector("button")?.focus();
    };
    byId("heard-earlier").hidden = false;
    undo.focus();
  };
  byId("heard-undo").hidden = true;
  byId("heard-list").replaceChildren(...entries.map((entry) => row(entry, entry.id === current(), open, remove)));
  byId("heard-forget-all").hidden = entries.length < 2;
  byId("heard-forget-all").onclick = () => remove(...entries);
}

function row(entry, isCurrent, open, remove) {
  const title = titleOf(entry.transcript) || text("untitled");
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(entry.time);
  const facts = [entry.name, entry.seconds && clock(entry.seconds), time].filter(Boolean).join(" · ");
  const pick = make(
    "button", { type: "button", className: "pick", attributes: { "aria-current": isCurrent ? "true" : null } },
    make("span", { className: "names" }, make("span", { className: "name", textContent: title, lang: entry.language ?? "" }), make("span", { className: "quiet", textContent: facts })),
  );
  pick.onclick = () => open(entry);
  const drop = make("button", { type: "button", className: "round", title: text("forget") }, icon("remove"));
  drop.setAttribute("aria-label", text("ofVoice", { what: text("forget"), voice: title }));
  drop.onclick = () => remove(entry);
  return make("li", { className: `row${isCurrent ? " chosen" : ""}` }, pick, make("div", { className: "actions" }, drop));
}
