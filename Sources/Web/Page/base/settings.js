import { debounced } from "./dom.js";

/** What this browser remembers. A browser that remembers nothing keeps it until the page is left. */
const key = "synthhost";
const store = (() => {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
})();

function read() {
  try {
    return JSON.parse(store?.getItem(key) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

function write(values) {
  try {
    store?.setItem(key, JSON.stringify(values));
  } catch {
    // Too long a text, or no room: it is used, and not remembered.
  }
}

// A long text is not written again at each move of a slider.
const keep = debounced(200, write);
addEventListener("pagehide", () => write(values));

const values = read();

export const settings = new Proxy(values, {
  set(values, name, value) {
    values[name] = value;
    keep(values);
    return true;
  },
});
