import { byId, make } from "../base/dom.js";
import { closeSheets, isBeside } from "../base/sheet.js";
import { desk, watchDesk } from "../texts/desk.js";

let shown = null;

/**
 * Prepares the sheet with the table of contents. Called before it opens.
 *
 * @param goTo goes to a position
 * @param lasts formats the duration of a part of the text
 */
export function openContents(goTo, lasts) {
  if (!shown) watchDesk("place", () => byId("contents").open && mark());
  if (shown !== desk.document) {
    shown = desk.document;
    byId("contents-list").replaceChildren(...shown.headings.map((heading) => row(heading, goTo)));
  }
  for (const button of byId("contents-list").children) button.lastChild.textContent = lasts(desk.document.partAt(button.heading.start));
  mark();
  requestAnimationFrame(() => byId("contents-list").querySelector("[aria-current]")?.scrollIntoView({ block: "center" }));
}

function mark() {
  const current = desk.document.headingAt(desk.place);
  for (const button of byId("contents-list").children) {
    if (button.heading === current) button.setAttribute("aria-current", "location");
    else button.removeAttribute("aria-current");
  }
}

function row(heading, goTo) {
  const button = make("button", { type: "button" }, make("span", { textContent: heading.title }), make("span", { className: "quiet" }));
  button.heading = heading;
  button.style.setProperty("--depth", heading.depth);
  button.onclick = () => {
    if (!isBeside()) closeSheets();
    goTo(heading.start);
  };
  return button;
}
