import { ServerError } from "../base/api.js";
import { byId, make } from "../base/dom.js";
import { openSheet } from "../base/sheet.js";
import { text } from "../base/words.js";
import { column } from "../reading/stage.js";
import { desk } from "../texts/desk.js";
import { selected, voices, watch } from "../voices/voices.js";
import { here, player, speak, state, watchReader, work } from "./reader.js";

let shown = null;

/** Reports that speech failed, marks the position, and offers to continue with the same or another voice. */
export function showBroken() {
  watchReader(render);
  watch("selection", () => shown && offer(byId("broken")));
  render();
}

function render() {
  const box = byId("broken");
  // If the user goes back, existing audio is played. The offer stays visible.
  const isBroken = work?.broken && (state() === "failed" || shown === work);
  if (!isBroken) {
    const hadFocus = box.contains(document.activeElement);
    box.hidden = true;
    shown = null;
    if (hadFocus) byId("speak").focus({ preventScroll: true });
  } else if (shown !== work) {
    shown = work;
    offer(box);
    box.hidden = false;
    showPlace();
  }
}

const place = () => (player.piece ? here() : work.reached);

/** Marks the position at which speech stopped. */
function showPlace() {
  column.isFollowing = true;
  column.mark(desk.document.sentenceFrom(place()), null);
}

function offer(box) {
  const { voice, broken } = work;
  const next = selected() ?? voice;
  const isOther = next.key !== voice.key;
  const again = make("button", { type: "button", id: "try-again", className: "main" });
  again.textContent = isOther ? text("goOnWith", { voice: next.name }) : text("tryAgain");
  again.onclick = () => speak(place(), voices.get(next.key));
  const other = make("button", { type: "button", id: "other-voice", textContent: text("otherVoice") });
  other.onclick = () => openSheet("voices", other);
  const buttons = make("div", { className: "line" }, again, other);
  // Show the service's error message, but not the browser's messages about connections.
  const isAway = broken instanceof TypeError || broken.message === text("noAnswer");
  const why = isAway ? "" : broken.message;
  const cause = isAway ? "connectionBroke" : broken instanceof ServerError && broken.status < 500 ? "speechBroke" : "engineBroke";
  const more = make("details", {}, make("summary", { textContent: text("why") }), make("p", { className: "quiet", textContent: why }));
  box.replaceChildren(make("p", { textContent: text(cause, { voice: voice.name }) }), buttons, ...(why ? [more] : []));
}
