import { byId } from "./dom.js";
import { settings } from "./settings.js";

const keys = { k: "pause", j: "back", l: "forward", n: "next", p: "previous" };

/** Keys of one letter, which are off unless the reader wants them: some speak to their computer, or type by accident. */
export function listenForShortcuts() {
  const box = byId("shortcuts");
  box.checked = settings.shortcuts ?? false;
  box.onchange = () => (settings.shortcuts = box.checked);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input:not([type=radio]), textarea, select");
    if (!box.checked || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = byId(keys[event.key] ?? "");
    if (button && !button.disabled) button.click();
  });
}
