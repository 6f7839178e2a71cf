import { byId } from "./dom.js";

/** Says something to those who do not see the page, when there is time. */
export function announce(message) {
  byId("announcer").textContent = message;
}

/** Says what went wrong, at once, to those who hear and to those who see. */
export function alarm(message) {
  byId("alarm").textContent = message;
  byId("alarm-box").hidden = false;
}

/** Removes the alarm, which is no longer true. */
export function calm() {
  const box = byId("alarm-box");
  if (box.hidden) return;
  const hadFocus = box.contains(document.activeElement);
  box.hidden = true;
  byId("alarm").textContent = "";
  if (hadFocus) focusAgain();
}

/** Lets the reader close an alarm. */
export const showAlarms = () => (byId("alarm-close").onclick = calm);

/** Moves the focus from an element that is gone. */
export function focusAgain() {
  const sheet = document.querySelector("dialog[open]");
  (sheet?.querySelector("button") ?? document.querySelector(".player:not([hidden]) .play") ?? byId("token")).focus({ preventScroll: true });
}

/** Whether the element that had the focus is gone. */
export const isFocusLost = () => document.activeElement === document.body || !document.activeElement?.checkVisibility();
