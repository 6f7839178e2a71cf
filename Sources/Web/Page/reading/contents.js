import { byId, make } from "../base/dom.js";
import { closeSheets, onOpen } from "../base/sheet.js";
import { desk, watchDesk } from "../texts/desk.js";

/** The sheet with the headings of the text. @param goTo goes to a place */
export function showContents(goTo) {
  let shown = null;
  const mark = () => {
    const current = desk.document.headingAt(desk.place);
    for (const button of byId("contents-list").children) {
      if (button.heading === current) button.setAttribute("aria-current", "location");
      else button.removeAttribute("aria-current");
    }
  };
  onOpen("contents", () => {
    if (shown !== desk.document) {
      shown = desk.document;
      byId("contents-list").replaceChildren(...shown.headings.map((heading) => row(heading, goTo)));
    }
    mark();
    requestAnimationFrame(() => byId("contents-list").querySelector("[aria-current]")?.scrollIntoView({ block: "center" }));
  });
  watchDesk("text", () => {
    const hasNone = desk.isWriting || desk.document.headings.length === 0;
    byId("open-contents").hidden = hasNone;
    if (hasNone && byId("contents").open) closeSheets();
  });
  watchDesk("place", () => byId("contents").open && mark());
}

function row(heading, goTo) {
  const button = make("button", { type: "button", textContent: heading.title });
  button.heading = heading;
  button.style.setProperty("--depth", heading.depth);
  button.onclick = () => {
    if (byId("contents").matches(":modal")) closeSheets();
    goTo(heading.start);
  };
  return button;
}
