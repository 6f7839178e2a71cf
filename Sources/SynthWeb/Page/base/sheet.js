import { byId, make } from "./dom.js";
import { icon } from "./icons.js";
import { label } from "./words.js";

/** From this width on a sheet is beside the text; on a phone it covers it. */
const wide = matchMedia("(min-width: 48rem)");
/** What of the page a sheet on a phone lies over. */
const covered = ["top", "main"];
/** So far a sheet is pulled down to close it. */
const pull = 56;
const watchers = new Map();
let opener = null;

/** Lets each element that says so open its sheet, and each sheet be closed. */
export function prepareSheets() {
  document.querySelectorAll("dialog.sheet").forEach(prepareSheet);
  for (const element of document.querySelectorAll("[data-opens]")) {
    element.setAttribute("aria-haspopup", "dialog");
    element.addEventListener("click", () => openSheet(element.dataset.opens, element));
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && closeSheets());
  // Who taps the text on a phone wants it back.
  document.addEventListener("click", (event) => {
    if (event.target === document.documentElement || event.target === document.body) isBeside() || closeSheets();
  });
  wide.addEventListener("change", closeSheets);
}

/** Lets a sheet be closed. */
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

/** Whether a sheet leaves the text in sight. */
export const isBeside = () => wide.matches;

/** Calls `body` each time before a sheet opens, which waits for it. */
export const onOpen = (id, body) => watchers.set(id, body);

/** Opens a sheet in the place of any other; one that is open is closed. */
export async function openSheet(id, from = document.activeElement) {
  const sheet = byId(id);
  const other = shown();
  other?.close();
  if (other === sheet) return;
  await watchers.get(id)?.();
  if (shown()) return;
  opener = from;
  const side = sheet.classList.contains("left") ? "left" : "right";
  // A card floats over the text, which keeps its place.
  document.body.dataset.panel = !isBeside() ? "over" : sheet.classList.contains("small") ? "float" : side;
  for (const part of covered) byId(part).inert = !isBeside();
  measurePlayer();
  sheet.show();
  sheet.scrollTop = 0;
}

/** Tells the style sheets how high the player is: sheets end above it. */
export const measurePlayer = () => document.documentElement.style.setProperty("--player", `${document.querySelector(".player:not([hidden])")?.offsetHeight}px`);

export const closeSheets = () => shown()?.close();

const shown = () => document.querySelector("dialog.sheet[open]");

function left(sheet) {
  // Another one may be in its place.
  if (shown()) return;
  delete document.body.dataset.panel;
  for (const part of covered) byId(part).inert = false;
  // What opened it may be gone by now.
  const again = opener?.isConnected && opener.offsetParent ? opener : byId("speak");
  if (sheet.contains(document.activeElement) || document.activeElement === document.body) {
    again.focus({ preventScroll: true });
  }
  opener = null;
}
