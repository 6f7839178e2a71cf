import { pause } from "../base/dom.js";

/** The maximum number of stored transcripts with their audio. Beyond it, the oldest is deleted. */
const most = 30;
/** The transcripts in browsers without storage, kept until the page is closed. */
const memory = new Map();
let base = null;

const opened = () =>
  (base ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("synthhost-transcripts", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("transcripts", { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  }));

/** Returns the result of a database request, or undefined if the browser has no storage or responds too slowly. */
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

/**
 * Returns all stored transcripts, newest first, with `id`, `time`, `name`, `transcript`, `seconds`, `language`, and `sound` (a blob or
 * null).
 */
export async function list() {
  const found = (await change("readonly", (store) => store.getAll()))?.result ?? [];
  const kept = new Map([...memory, ...found.map((each) => [each.id, each])]);
  return [...kept.values()].sort((one, other) => other.time - one.time);
}

/** Stores a transcript, replacing any with the same ID. If the storage is full, its audio is omitted. */
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
