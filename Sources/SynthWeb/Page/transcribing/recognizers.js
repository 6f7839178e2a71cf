import { ask } from "../base/api.js";
import { pause } from "../base/dom.js";
import { settings } from "../base/settings.js";
import { language } from "../base/words.js";
import { isBusy as isComing } from "../voices/voices.js";
import { set, work } from "./work.js";

let list = [];
let usual = null;
let proposed = null;

/** Returns all known models, installed models first. */
export const all = () => list;
const find = (key) => list.find((each) => each.key === key);
export const isReady = (entry) => entry?.state === "ready";
export { isComing };

/** Whether a model supports a language. If its list of languages is empty, they are unknown. */
export const knows = ({ languages }, tag) => languages.length === 0 || languages.some((each) => each.split("-")[0] === tag.split("-")[0]);

/** Returns the model that transcribes or must be downloaded first, or undefined if there is none. */
export function current() {
  const chosen = find(settings.recognizer);
  const isKept = chosen && (!settings.spoken || knows(chosen, settings.spoken));
  return isKept ? chosen : (find(usual) ?? find(proposed));
}

/** Requests the models. The recommendation is for the spoken language, or else for the page's language. */
export async function look() {
  const spoken = settings.spoken;
  const answer = await ask("GET", `api/recognizers${spoken ? `?language=${encodeURIComponent(spoken)}` : ""}`);
  const offer = answer.chosen || spoken ? answer : await ask("GET", `api/recognizers?language=${language}`);
  list = answer.recognizers;
  usual = answer.chosen;
  proposed = offer.proposed ?? answer.proposed;
  set({ phase: work.phase === "looking" ? "idle" : work.phase });
  const coming = current();
  if (coming && isComing(coming)) follow(coming.key);
}

/** Downloads the missing files of a model. */
export async function download(key) {
  take(await ask("POST", "api/recognizers/downloads", { key }));
  return follow(key);
}

/** Cancels a download. Downloaded files are kept. */
export const cancel = async (key) => take(await ask("DELETE", `api/recognizers/downloads?key=${encodeURIComponent(key)}`));

let followed = null;

/** Polls the progress of a download until it ends. */
async function follow(key) {
  if (followed === key) return;
  followed = key;
  while (isComing(find(key) ?? {})) {
    await pause(500);
    // Polling continues even if the service does not respond.
    const entry = await ask("GET", `api/recognizers?key=${encodeURIComponent(key)}`).catch(() => null);
    if (entry) take(entry);
  }
  followed = null;
  if (!isReady(find(key))) return;
  // The missing model is now installed.
  if (work.problem?.name === "noModel") set({ problem: null, retry: null });
  await look().catch(() => {});
}

function take(entry) {
  const place = list.findIndex((each) => each.key === entry.key);
  if (place >= 0) list[place] = entry;
  else list.push(entry);
  set({});
}
