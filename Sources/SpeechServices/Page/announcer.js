import { byId } from "./dom.js";

/** Says something to those who do not see the page, when there is time. */
export function announce(message) {
  byId("announcer").textContent = message;
}

/** Says what went wrong, at once, also to those who see. */
export function alarm(message) {
  byId("alarm").textContent = "";
  byId("alarm").textContent = message;
  byId("reader-status").textContent = message;
}
