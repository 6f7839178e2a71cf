import { byId, make } from "../base/dom.js";
import { text } from "../base/words.js";
import { select, voices } from "../voices/voices.js";
import { here, player, speak, state, watchReader, work } from "./reader.js";

let shown = null;

/** Says why a speech broke, and offers how to go on: with the same voice, or with another one. */
export function showBroken() {
  watchReader(() => {
    const box = byId("broken");
    // Who went back meanwhile hears on; the offer stays.
    const isBroken = work?.broken && (state() === "failed" || shown === work);
    if (!isBroken) {
      const hadFocus = box.contains(document.activeElement);
      box.hidden = true;
      shown = null;
      if (hadFocus) byId("speak").focus({ preventScroll: true });
    } else if (shown !== work) {
      shown = work;
      offer(box);
    }
  });
}

function offer(box) {
  const { voice, broken } = work;
  const place = () => (player.piece ? here() : work.reached);
  const others = likely(voice);
  const again = make("button", { type: "button", className: "main", textContent: text("goOn") });
  again.onclick = () => speak(place(), voices.get(voice.key));
  const menu = make(
    "select",
    {},
    ...others.map((each) => make("option", { value: each.key, textContent: each.title, lang: each.language })),
  );
  const other = make("button", { type: "button", textContent: text("goOnWith") });
  other.onclick = () => {
    const from = place();
    select(menu.value);
    speak(from, voices.get(menu.value));
  };
  box.replaceChildren(
    make("p", { textContent: `${text("speechBroke")} ${broken.message}` }),
    make(
      "div",
      { className: "line" },
      again,
      ...(others.length ? [make("label", {}, make("span", { className: "unseen", textContent: text("otherVoice") }), menu), other] : []),
    ),
  );
  box.hidden = false;
}

/** Voices that could speak instead, those of the same language first. */
function likely(voice) {
  const language = voice.language.split("-")[0];
  const likeness = (each) =>
    Number(each.language.split("-")[0] === language) + Number(each.language === voice.language);
  return [...voices.values()]
    .filter((each) => each.state === "ready" && each.key !== voice.key && !each.hidden)
    .sort((one, other) => likeness(other) - likeness(one))
    .slice(0, 200);
}
