import { byId } from "../base/dom.js";
import { text } from "../base/words.js";
import { desk, edit, watchDesk } from "../texts/desk.js";
import { Column } from "./column.js";
import { makeMarks } from "./marks.js";

/** The typeset text. */
export let column = null;

/** Shows the text that lies on the desk: in the field, or typeset. */
export async function showStage() {
  column = new Column(byId("reading"), await makeMarks());
  byId("edit").onclick = edit;
  watchDesk("text", render);
  render();
  addEventListener("scroll", () => document.documentElement.classList.toggle("scrolled", scrollY > 8), { passive: true });
}

function render() {
  byId("desk").hidden = !desk.isWriting;
  byId("reading").hidden = desk.isWriting;
  byId("edit").hidden = desk.isWriting || !desk.isTyped;
  byId("reading").setAttribute("aria-label", text("readingLabel"));
  const title = desk.isTyped ? "" : desk.document.title;
  byId("title").textContent = title;
  document.title = title ? `${title} · synthhost` : "synthhost";
  if (desk.isWriting) return column.clear();
  if (column.document === desk.document) return;
  column.show(desk.document);
  scrollTo({ top: 0, behavior: "instant" });
  if (desk.place > 0) column.jump(desk.place);
}
