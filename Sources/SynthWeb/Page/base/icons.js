import { reach } from "./api.js";

const space = "http://www.w3.org/2000/svg";

/** Adds the icons in `look/icons.svg` to the page and shows an icon in each element that names one. */
export async function loadIcons() {
  const answer = await reach("page/look/icons.svg", {});
  const drawings = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  drawings.setAttribute("aria-hidden", "true");
  drawings.setAttribute("class", "unseen");
  document.body.append(document.importNode(drawings, true));
  for (const element of document.querySelectorAll("[data-icon]")) element.prepend(icon(element.dataset.icon));
}

/** Creates a decorative icon. The element that contains it needs a label for screen readers. */
export function icon(name) {
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(document.createElementNS(space, "use"));
  show(drawing, name);
  return drawing;
}

export const show = (drawing, name) => drawing.firstChild.setAttribute("href", `#i-${name}`);
