/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** Makes an element. Properties are set as such; those in `attributes` as attributes. */
export function make(name, properties = {}, ...children) {
  const { attributes = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(name), rest);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(attribute, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Waits for some milliseconds. */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Calls `body` when nothing more came for some milliseconds. */
export function debounced(milliseconds, body) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => body(...values), milliseconds);
  };
}

/** Whether things may move on the page. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
