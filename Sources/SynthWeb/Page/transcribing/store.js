import { pause } from "../base/dom.js";

/** So many transcripts are kept, with their sound; then the oldest goes. */
const most = 30;
/** Of a browser that keeps nothing: as long as the page is open. */
const memory = new Map();
let base = null;

const opened = () =>
  (base ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("synthhost-transcripts", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("transcripts", { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  }));

/** What the store answers; undefined if this browser keeps nothing, or is too slow. */
async function change(mode, body) {
  const done = async () => {
    const database = await opened();
    const asked = body(database.transaction("transcripts", mode).objectStore("transcripts"));
    return new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked);
      asked.onerror = () => reject(asked.error);
    });
  };
  try {
    return await Promise.race([done(), pause(10_000)]);
  } catch {
    base = null;
    return undefined;
  }
}

/** All that are kept, the newest first: `id`, `time`, `name`, `transcript`, `seconds`, `language`, and `sound`, a blob or null. */
export async function list() {
  const found = (await change("readonly", (store) => store.getAll()))?.result ?? [];
  const kept = new Map([...memory, ...found.map((each) => [each.id, each])]);
  return [...kept.values()].sort((one, other) => other.time - one.time);
}

/** Keeps one, in the place of an earlier one of its id. Without its sound if there is no room for that. */
export async function keep(entry) {
  memory.set(entry.id, entry);
  const isKept = (await change("readwrite", (store) => store.put(entry))) ?? (await change("readwrite", (store) => store.put({ ...entry, sound: null })));
  if (isKept) memory.delete(entry.id);
  for (const { id } of (await list()).slice(most)) await remove(id);
}

export async function remove(id) {
  memory.delete(id);
  await change("readwrite", (store) => store.delete(id));
}
