import { announce } from "./announcer.js";
import { text } from "./words.js";

/** Makes a button copy the text of an element. If the browser denies access to the clipboard, the text is selected instead. */
export function copies(button, element) {
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(element.textContent);
      button.textContent = text("copied");
      announce(text("copied"));
    } catch {
      getSelection().selectAllChildren(element);
    }
    setTimeout(() => (button.textContent = text("copy")), 3000);
  };
}
