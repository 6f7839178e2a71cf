import { settings } from "../base/settings.js";

/** What can be chosen. The style sheet says nothing of the first of the schemes, and it has a type for each kind of text. */
export const choices = { scheme: ["system", "light", "sepia", "dark"], face: ["sans", "serif"], size: ["1", "2", "3", "4", "5", "6"] };
const usual = { scheme: "system", size: "2" };

/** What the reader chose; undefined = nothing, and nothing is usual. */
export const look = (name) => settings.look?.[name] ?? usual[name];

/** How the page looked last, before anything is seen of it. */
export function applyLook() {
  const root = document.documentElement;
  for (const name of Object.keys(choices)) {
    if (look(name) === usual[name]) delete root.dataset[name];
    else root.dataset[name] = look(name);
  }
}

export function setLook(name, value) {
  settings.look = { ...settings.look, [name]: value };
  applyLook();
}
