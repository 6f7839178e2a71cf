import { showChoices } from "../base/choices.js";
import { byId } from "../base/dom.js";
import { percent, text } from "../base/words.js";
import { choices, look, setLook } from "./look.js";

/** Font sizes relative to the default. */
const shares = { 1: 0.84, 2: 1, 3: 1.16, 4: 1.37, 5: 1.68, 6: 2.1 };

/** Prepares the sheet for the color scheme, font and font size. Called before it opens. */
export function openLook() {
  const face = byId("reading").classList.contains("book") ? "serif" : "sans";
  for (const name of ["scheme", "face"]) {
    const names = choices[name].map((value) => [value, text(`${name}-${value}`)]);
    showChoices(byId(name), names, look(name) ?? face, (value) => setLook(name, value));
  }
  for (const [id, step] of [["smaller", -1], ["larger", 1]]) {
    byId(id).onclick = () => {
      setLook("size", choices.size[choices.size.indexOf(look("size")) + step] ?? look("size"));
      showSize();
    };
  }
  showSize();
}

function showSize() {
  const size = look("size");
  byId("size-shown").textContent = percent(shares[size]);
  // A disabled button would lose the focus.
  byId("smaller").setAttribute("aria-disabled", size === choices.size[0]);
  byId("larger").setAttribute("aria-disabled", size === choices.size.at(-1));
}
