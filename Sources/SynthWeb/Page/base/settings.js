import { debounced } from "./dom.js";

/** The settings in this browser. If it stores nothing, they last until the page is closed. */
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
/** The settings that this page has changed and not yet stored. */
const changed = new Set();

/** Reads the settings that other pages of this browser have stored. */
function renew() {
  for (const [name, value] of Object.entries(read())) {
    if (!changed.has(name)) values[name] = value;
  }
}

/** A page must not overwrite settings that it has not changed. */
function write() {
  if (changed.size === 0) return;
  renew();
  try {
    store?.setItem(key, JSON.stringify(values));
    changed.clear();
  } catch {
    // The text is too long, or the storage is full.
  }
}

// Moving a slider must not store a long text at every step.
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
