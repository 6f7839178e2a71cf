import { showChoices } from "../base/choices.js";
import { byId } from "../base/dom.js";
import { settings } from "../base/settings.js";
import { text } from "../base/words.js";

const choices = {
  scheme: ["system", "light", "dark"],
  face: ["sans", "serif"],
  size: ["1", "2", "3", "4", "5"],
};
/** What holds if nothing was chosen; the style sheet says nothing of it. */
const usual = { scheme: "system", face: "sans", size: "2" };

/** How the page looked last, before anything is seen of it. */
export function applyLook() {
  for (const name of Object.keys(choices)) apply(name, settings.look?.[name] ?? usual[name]);
}

function apply(name, value) {
  if (value === usual[name]) delete document.documentElement.dataset[name];
  else document.documentElement.dataset[name] = value;
}

/** The sheet in which the reader chooses light or dark, the type and its size. */
export function showLook() {
  for (const [name, values] of Object.entries(choices)) {
    const names = values.map((value) => [value, name === "size" ? value : text(`${name}-${value}`)]);
    showChoices(byId(name), names, settings.look?.[name] ?? usual[name], (value) => {
      settings.look = { ...settings.look, [name]: value };
      apply(name, value);
    });
  }
}
