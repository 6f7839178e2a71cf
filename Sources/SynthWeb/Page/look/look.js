import { settings } from "../base/settings.js";

/** The possible values. The style sheets have no rules for the first scheme, and define a font for each kind of text. */
export const choices = { scheme: ["system", "light", "sepia", "dark"], face: ["sans", "serif"], size: ["1", "2", "3", "4", "5", "6"] };
const usual = { scheme: "system", size: "2" };

export const look = (name) => settings.look?.[name] ?? usual[name];

/** Applies the appearance before the first paint. */
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
