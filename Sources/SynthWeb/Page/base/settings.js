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
    const found = JSON.parse(store?.getItem(key) ?? "{}");
    return found !== null && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

const values = read();
/** The names of what was changed here and is not written yet. */
const changed = new Set();

/** Takes what other pages of this browser have written meanwhile. */
function renew() {
  for (const [name, value] of Object.entries(read())) {
    if (!changed.has(name)) values[name] = value;
  }
}

/** A page that has changed nothing must not bring back what was. */
function write() {
  if (changed.size === 0) return;
  renew();
  try {
    store?.setItem(key, JSON.stringify(values));
    changed.clear();
  } catch {
    // Too long a text, or no room: it is used, and not remembered.
  }
}

// A long text is not written again at each move of a slider.
const keep = debounced(200, write);
addEventListener("pagehide", write);
addEventListener("storage", (event) => event.key === key && renew());
addEventListener("pageshow", (event) => event.persisted && renew());

export const settings = new Proxy(values, {
  set(values, name, value) {
    values[name] = value;
    changed.add(name);
    keep();
    return true;
  },
});
