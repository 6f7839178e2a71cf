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

/** Lets what went wrong be put away. */
export function showAlarms() {
  byId("alarm-close").onclick = () => {
    byId("alarm-box").hidden = true;
    byId("alarm").textContent = "";
    const sheet = document.querySelector("dialog[open]");
    (sheet?.querySelector("button") ?? byId(byId("player").hidden ? "token" : "speak")).focus({ preventScroll: true });
  };
}
