import { announce } from "./announcer.js";
import { text } from "./words.js";

/** Lets a button copy what is in an element; where the browser does not let it, that is selected. */
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
