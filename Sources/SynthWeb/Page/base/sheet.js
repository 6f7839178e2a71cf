import { byId, make } from "./dom.js";
import { icon } from "./icons.js";
import { label } from "./words.js";

/** The minimum width at which sheets are displayed next to the text instead of over it. */
const wide = matchMedia("(min-width: 48rem)");
/** The parts of the page that a sheet covers on narrow screens. */
const covered = ["top", "main"];
/** How far a sheet must be pulled down to close it, in pixels. */
const pull = 56;
const watchers = new Map();
let opener = null;

export function prepareSheets() {
  document.querySelectorAll("dialog.sheet").forEach(prepareSheet);
  for (const element of document.querySelectorAll("[data-opens]")) {
    element.setAttribute("aria-haspopup", "dialog");
    element.addEventListener("click", () => openSheet(element.dataset.opens, element));
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && closeSheets());
  document.addEventListener("click", (event) => {
    if (event.target === document.documentElement || event.target === document.body) isBeside() || closeSheets();
  });
  wide.addEventListener("change", closeSheets);
}

export function prepareSheet(sheet) {
  const close = make("button", { type: "button", className: "round close" }, icon("close"));
  label(close, "close");
  close.onclick = () => sheet.close();
  const head = sheet.querySelector(".head");
  head.append(close);
  sheet.addEventListener("close", () => left(sheet));
  let from = null;
  head.addEventListener("pointerdown", (event) => (from = wide.matches ? null : event.clientY));
  addEventListener("pointerup", (event) => {
    if (from !== null && event.clientY - from > pull) sheet.close();
    from = null;
  });
}

export const isBeside = () => wide.matches;

/** Calls `body` before the sheet opens and waits for the promise that it returns. */
export const onOpen = (id, body) => watchers.set(id, body);

/** Opens a sheet and closes any other open sheet. If the sheet is already open, closes it. */
export async function openSheet(id, from = document.activeElement) {
  const sheet = byId(id);
  const other = shown();
  other?.close();
  if (other === sheet) return;
  await watchers.get(id)?.();
  if (shown()) return;
  opener = from;
  const side = sheet.classList.contains("left") ? "left" : "right";
  // A small sheet floats over the text and does not move it.
  document.body.dataset.panel = !isBeside() ? "over" : sheet.classList.contains("small") ? "float" : side;
  for (const part of covered) byId(part).inert = !isBeside();
  measurePlayer();
  sheet.show();
  sheet.scrollTop = 0;
}

/** Passes the height of the player to the style sheets. */
export const measurePlayer = () => document.documentElement.style.setProperty("--player", `${document.querySelector(".player:not([hidden])")?.offsetHeight}px`);

export const closeSheets = () => shown()?.close();

const shown = () => document.querySelector("dialog.sheet[open]");

function left(sheet) {
  // Do nothing if another sheet has been opened in the meantime.
  if (shown()) return;
  delete document.body.dataset.panel;
  for (const part of covered) byId(part).inert = false;
  // The element that opened the sheet may have been removed.
  const again = opener?.isConnected && opener.offsetParent ? opener : byId("speak");
  if (sheet.contains(document.activeElement) || document.activeElement === document.body) {
    again.focus({ preventScroll: true });
  }
  opener = null;
}
