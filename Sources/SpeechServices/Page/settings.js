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

export const settings = new Proxy(read(), {
  set(values, name, value) {
    values[name] = value;
    write(values);
    return true;
  },
});
