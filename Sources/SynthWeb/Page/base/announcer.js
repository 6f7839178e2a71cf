import { byId } from "./dom.js";

/** Makes screen readers announce a message after they have finished speaking. */
export function announce(message) {
  byId("announcer").textContent = message;
}

/** Shows an error and makes screen readers announce it immediately. */
export function alarm(message) {
  byId("alarm").textContent = message;
  byId("alarm-box").hidden = false;
}

export function calm() {
  const box = byId("alarm-box");
  if (box.hidden) return;
  const hadFocus = box.contains(document.activeElement);
  box.hidden = true;
  byId("alarm").textContent = "";
  if (hadFocus) focusAgain();
}

export const showAlarms = () => (byId("alarm-close").onclick = calm);

/** Moves the focus to the open sheet, the play button or the token field once the focused element is gone. */
export function focusAgain() {
  const sheet = document.querySelector("dialog[open]");
  (sheet?.querySelector("button") ?? document.querySelector(".player:not([hidden]) .play") ?? byId("token")).focus({ preventScroll: true });
}

export const isFocusLost = () => document.activeElement === document.body || !document.activeElement?.checkVisibility();
