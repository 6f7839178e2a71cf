import { pause } from "../base/dom.js";
import { settings } from "../base/settings.js";

/** The maximum number of stored texts. When it is exceeded, the least recently read text is deleted. */
const most = 12;
/** The texts in browsers without storage, kept until the page is closed. */
const memory = new Map();
/** The IDs of texts whose changes are not in the database yet. */
const unwritten = new Set();

/** The recent texts, newest first, with `id`, `title`, `length`, `place` and `time`. */
export const list = () => [...(settings.shelf ?? [])].sort((one, other) => other.time - one.time);

export const entry = (id) => settings.shelf?.find((each) => each.id === id);

/**
 * Stores a text.
 *
 * @param content the content that `load` returns
 */
export async function keep(id, about, content) {
  note(id, about);
  memory.set(id, content);
  await write(id);
  for (const { id: old } of list().slice(most)) await remove(old);
}

export function note(id, about) {
  const before = entry(id) ?? { id, place: 0 };
  settings.shelf = [...(settings.shelf ?? []).filter((each) => each.id !== id), { ...before, ...about, time: Date.now() }];
}

export async function load(id) {
  if (memory.has(id)) return memory.get(id);
  return (await change((store) => store.get(id), "readonly"))?.result;
}

export async function remove(id) {
  settings.shelf = (settings.shelf ?? []).filter((each) => each.id !== id);
  memory.delete(id);
  await write(id);
}

/** Updates the database from the list, which all pages share. */
function put(store, id) {
  if (!entry(id)) return store.delete(id);
  return memory.has(id) ? store.put(memory.get(id), id) : store.count(id);
}

async function write(id) {
  unwritten.add(id);
  if (await change((store) => put(store, id))) unwritten.delete(id);
}

let base = null;

const patience = 10_000;
const late = new Error("late");

/** Opens the database. A page that is closed while it opens the database may block it until another page requests the lock. */
function database() {
  if (!base) {
    const own = (base = locked(open));
    own.catch(() => base === own && (base = null));
  }
  return Promise.race([base, pause(patience).then(() => Promise.reject(late))]);
}

const locked = async (body) =>
  navigator.locks ? navigator.locks.request("synthhost-texts", { signal: AbortSignal.timeout(patience) }, body) : body();

const open = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open("synthhost", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("texts");
    asked.onsuccess = () => {
      asked.result.onclose = () => (base = null);
      resolve(asked.result);
      if (unwritten.size === 0) return;
      const store = asked.result.transaction("texts", "readwrite").objectStore("texts");
      for (const id of unwritten) put(store, id).onsuccess = () => unwritten.delete(id);
    };
    asked.onerror = () => reject(asked.error);
  });

/** Returns the result of a database request, or undefined if the browser has no storage or the storage is full. */
async function change(body, mode = "readwrite") {
  try {
    const store = (await database()).transaction("texts", mode).objectStore("texts");
    const asked = body(store);
    return await new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked);
      asked.onerror = () => reject(asked.error);
    });
  } catch (error) {
    // Discard a failed connection, but keep one that is only slow.
    if (error !== late) base = null;
    return undefined;
  }
}

/** Returns a text's ID, computed from its content, so that the position is restored when the same file is opened again. */
export function nameOf(text) {
  let [one, other] = [2166136261, text.length];
  for (let index = 0; index < text.length; index += 1) {
    one = Math.imul(one ^ text.charCodeAt(index), 16777619);
    other = Math.imul(other, 31) + text.charCodeAt(index) + (one >>> 15);
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}
