import { byId } from "../base/dom.js";
import { closeSheets } from "../base/sheet.js";
import { text } from "../base/words.js";
import { desk, edit, watchDesk } from "../texts/desk.js";
import { Column } from "./column.js";
import { makeMarks } from "./marks.js";

export let column = null;

/** Shows the current text, either in the text field or formatted. */
export async function showStage() {
  column = new Column(byId("reading"), await makeMarks(byId("reading")));
  byId("edit").onclick = edit;
  watchDesk("text", render);
  render();
  addEventListener("scroll", () => document.documentElement.classList.toggle("scrolled", scrollY > 8), { passive: true });
}

function render() {
  const { document: content, isTyped, isWriting } = desk;
  byId("desk").hidden = !isWriting;
  byId("reading").hidden = isWriting;
  byId("edit").hidden = isWriting || !isTyped;
  byId("reading").setAttribute("aria-label", text("readingLabel"));
  const title = isTyped ? "" : content.title;
  byId("title").textContent = title;
  document.title = title ? `${title} · synthhost` : "synthhost";
  const hasContents = !isWriting && content.headings.length > 0;
  byId("open-contents").hidden = !hasContents;
  if (!hasContents && byId("contents").open) closeSheets();
  if (isWriting) return column.clear();
  if (column.document === content) return;
  column.show(content);
  scrollTo({ top: 0, behavior: "instant" });
  if (desk.place > 0) column.jump(desk.place);
}
