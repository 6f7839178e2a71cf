import { debounced } from "./dom.js";

/** The settings, stored in this browser. If storage is not available, they last until the page is closed. */
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
/** The settings that this page has changed but not stored yet. */
const changed = new Set();

/** Loads the settings that other pages have stored, except those that this page has changed. */
function renew() {
  for (const [name, value] of Object.entries(read())) {
    if (!changed.has(name)) values[name] = value;
  }
}

/** Stores the changed settings. Other settings are not overwritten, because another page may have changed them. */
function write() {
  if (changed.size === 0) return;
  renew();
  try {
    store?.setItem(key, JSON.stringify(values));
    changed.clear();
  } catch {
    // The settings exceed the browser's storage quota. They last until the page is closed.
  }
}

// Debounced, so that moving a slider does not write to the storage at each step.
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
