import { byId } from "../base/dom.js";
import { settings } from "../base/settings.js";

const always = { " ": "speak", ArrowLeft: "back", ArrowRight: "forward" };
const letters = { k: "speak", j: "back", l: "forward", n: "next", p: "previous" };

/**
 * Handles single-letter shortcuts, the space bar and the arrow keys, unless a text field or another control uses the key. The letters are
 * off by default, because voice control and accidental typing would trigger them.
 */
export function listenForKeys() {
  const box = byId("shortcuts");
  box.checked = settings.shortcuts ?? false;
  box.onchange = () => (settings.shortcuts = box.checked);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || byId("player").hidden) return;
    const { target } = event;
    const isUsed = target.closest(event.key === " " ? "input, textarea, select, button, a, summary" : "input, textarea, select, dialog");
    const id = (isUsed ? undefined : always[event.key]) ?? (box.checked && !isTyping(target) ? letters[event.key] : undefined);
    if (!id) return;
    event.preventDefault();
    byId(id).click();
  });
}

const isTyping = (target) => target.closest("input:not([type=radio], [type=range], [type=checkbox]), textarea, select");
