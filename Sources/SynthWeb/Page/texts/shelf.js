import { pause } from "../base/dom.js";
import { settings } from "../base/settings.js";

/** So many texts are remembered; then the one goes that was read least lately. */
const most = 12;
/** Of a browser that keeps nothing: as long as the page is open. */
const memory = new Map();
/** Of which the store does not know yet what has become of them. */
const unwritten = new Set();

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
  await write(id);
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
  return (await change((store) => store.get(id), "readonly"))?.result;
}

export async function remove(id) {
  settings.shelf = (settings.shelf ?? []).filter((each) => each.id !== id);
  memory.delete(id);
  await write(id);
}

/** The list decides, which all pages share: another one may have forgotten the text since, or kept it. */
function put(store, id) {
  if (!entry(id)) return store.delete(id);
  return memory.has(id) ? store.put(memory.get(id), id) : store.count(id);
}

async function write(id) {
  unwritten.add(id);
  if (await change((store) => put(store, id))) unwritten.delete(id);
}

let base = null;

/** How long opening the store may take, in milliseconds. */
const patience = 10_000;
const late = new Error("late");

/** The store of this browser. A page that was left while it opened the store may hold it until another page asks for its lock. */
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

/** A request to the store once it is done; undefined if this browser keeps nothing, or has no room. */
async function change(body, mode = "readwrite") {
  try {
    const store = (await database()).transaction("texts", mode).objectStore("texts");
    const asked = body(store);
    return await new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked);
      asked.onerror = () => reject(asked.error);
    });
  } catch (error) {
    // A connection that was lost is not used again; one that is late may come.
    if (error !== late) base = null;
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
