import { byId, make } from "./dom.js";
import { icon } from "./icons.js";
import { label } from "./words.js";

/** From here on a sheet stands beside the text, which stays usable. */
const wide = matchMedia("(min-width: 64rem)");
const watchers = new Map();
let opener = null;

/** Lets each element that says so open its sheet, and each sheet be closed. */
export function prepareSheets() {
  for (const sheet of document.querySelectorAll("dialog.sheet")) {
    const close = make("button", { type: "button", className: "round close" }, icon("close"));
    label(close, "close");
    close.onclick = () => sheet.close();
    sheet.querySelector(".head").append(close);
    sheet.addEventListener("close", () => left(sheet));
    // Beside a sheet is its backdrop, which is a part of it.
    sheet.addEventListener("click", (event) => {
      if (event.target === sheet && isOutside(sheet, event)) sheet.close();
    });
  }
  for (const element of document.querySelectorAll("[data-opens]")) {
    element.setAttribute("aria-haspopup", "dialog");
    element.addEventListener("click", (event) => {
      event.preventDefault();
      openSheet(element.dataset.opens, element);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelector("dialog.sheet[open]:not(:modal)")?.close();
  });
}

/** Calls `body` each time that a sheet opens, with what opened it. */
export const onOpen = (id, body) => watchers.set(id, body);

/** Opens a sheet in the place of any other; one that is open is closed. */
export function openSheet(id, from = document.activeElement) {
  const sheet = byId(id);
  const other = document.querySelector("dialog.sheet[open]");
  other?.close();
  if (other === sheet) return;
  opener = from;
  watchers.get(id)?.(from);
  if (wide.matches) {
    sheet.show();
    document.body.dataset.panel = sheet.classList.contains("left") ? "left" : "right";
  } else {
    sheet.showModal();
  }
  sheet.scrollTop = 0;
}

export const closeSheets = () => document.querySelector("dialog.sheet[open]")?.close();

function left(sheet) {
  delete document.body.dataset.panel;
  // What opened it may be gone by now.
  const again = opener?.isConnected && opener.offsetParent ? opener : byId("speak");
  if (sheet.contains(document.activeElement) || document.activeElement === document.body) {
    again.focus({ preventScroll: true });
  }
  opener = null;
}

function isOutside(sheet, { clientX, clientY }) {
  const box = sheet.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
