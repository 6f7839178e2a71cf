import { reach } from "./api.js";

const space = "http://www.w3.org/2000/svg";

/** Brings the drawings of `look/icons.svg` into the page, and puts one into each element that names it. */
export async function loadIcons() {
  const answer = await reach("page/look/icons.svg", {});
  const drawings = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  drawings.setAttribute("aria-hidden", "true");
  drawings.setAttribute("class", "unseen");
  document.body.append(document.importNode(drawings, true));
  for (const element of document.querySelectorAll("[data-icon]")) element.prepend(icon(element.dataset.icon));
}

/** A drawing, for the eye only: what it stands for must have a name besides. */
export function icon(name) {
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(document.createElementNS(space, "use"));
  show(drawing, name);
  return drawing;
}

/** Another drawing in the place of one. */
export const show = (drawing, name) => drawing.firstChild.setAttribute("href", `#i-${name}`);
