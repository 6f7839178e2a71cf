export const byId = (id) => document.getElementById(id);

/** Creates an element with the given properties, attributes and children. */
export function make(name, properties = {}, ...children) {
  const { attributes = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(name), rest);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(attribute, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Returns a debounced function that calls `body` after `milliseconds` without another call. */
export function debounced(milliseconds, body) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => body(...values), milliseconds);
  };
}

/** Whether the user prefers reduced motion. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
