import { settings } from "../base/settings.js";

/** So many texts are remembered; then the one goes that was read least lately. */
const most = 12;
/** Of a browser that keeps nothing: as long as the page is open. */
const memory = new Map();

/** What is known of the texts that were read last, the newest first: `id`, `title`, `length`, `place`, `time`. */
export const list = () => [...(settings.shelf ?? [])].sort((one, other) => other.time - one.time);

export const entry = (id) => settings.shelf?.find((each) => each.id === id);

/**
 * Remembers a text.
 *
 * @param content what `load` gives again
 */
export async function keep(id, about, content) {
  note(id, about);
  memory.set(id, content);
  await change((store) => store.put(content, id));
  for (const { id: old } of list().slice(most)) await remove(old);
}

/** Remembers what has changed of a text that is known, as the place in it. */
export function note(id, about) {
  const before = entry(id) ?? { id, place: 0 };
  settings.shelf = [...(settings.shelf ?? []).filter((each) => each.id !== id), { ...before, ...about, time: Date.now() }];
}

/** The content of a text; undefined if it is gone. */
export async function load(id) {
  if (memory.has(id)) return memory.get(id);
  return change((store) => store.get(id), "readonly");
}

export async function remove(id) {
  settings.shelf = (settings.shelf ?? []).filter((each) => each.id !== id);
  memory.delete(id);
  await change((store) => store.delete(id));
}

export async function removeAll() {
  settings.shelf = [];
  memory.clear();
  await change((store) => store.clear());
}

let base = null;

/** So long a browser may take to open its store, in milliseconds; then it is one that keeps nothing, until it is asked again. */
const patience = 10_000;

/**
 * The store of this browser. A page that was left while it opened the store may be kept by the browser, and then holds it. Such a
 * page goes when another one asks for its lock; who has no locks waits in vain, and must not wait for ever.
 */
const database = () => (base ??= locked(open));

const locked = async (body) =>
  navigator.locks ? navigator.locks.request("synthhost-texts", { signal: AbortSignal.timeout(patience) }, body) : body();

const open = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open("synthhost", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("texts");
    asked.onsuccess = () => {
      asked.result.onclose = () => (base = null);
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
    setTimeout(() => reject(new Error("late")), patience);
  });

/** What a request to the store gives; undefined if this browser keeps nothing, or has no room. */
async function change(body, mode = "readwrite") {
  try {
    const store = (await database()).transaction("texts", mode).objectStore("texts");
    const asked = body(store);
    return await new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  } catch {
    // A connection that was lost, or did not come, is not used again.
    base = null;
    return undefined;
  }
}

/** A name for a text by what is in it, so that the same file finds its place again. */
export function nameOf(text) {
  let [one, other] = [2166136261, text.length];
  for (let index = 0; index < text.length; index += 1) {
    one = Math.imul(one ^ text.charCodeAt(index), 16777619);
    other = Math.imul(other, 31) + text.charCodeAt(index) + (one >>> 15);
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}
