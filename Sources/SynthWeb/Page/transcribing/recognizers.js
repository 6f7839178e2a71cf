import { ask } from "../base/api.js";
import { pause } from "../base/dom.js";
import { settings } from "../base/settings.js";
import { language } from "../base/words.js";
import { isBusy as isComing } from "../voices/voices.js";
import { set, work } from "./work.js";

let list = [];
let usual = null;
let proposed = null;

/** All that are known, those that are installed first. */
export const all = () => list;
const find = (key) => list.find((each) => each.key === key);
export const isReady = (entry) => entry?.state === "ready";
export { isComing };

/** Whether a model knows a language. Nobody knows of some which they know. */
export const knows = ({ languages }, tag) => languages.length === 0 || languages.some((each) => each.split("-")[0] === tag.split("-")[0]);

/** The one that transcribes, or that must be downloaded first; undefined = there is none. */
export function current() {
  const chosen = find(settings.recognizer);
  const isKept = chosen && (!settings.spoken || knows(chosen, settings.spoken));
  return isKept ? chosen : (find(usual) ?? find(proposed));
}

/** Asks which there are. The one that is proposed is for the language that is spoken, or that of the page. */
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

/** Downloads what is missing of one. */
export async function download(key) {
  take(await ask("POST", "api/recognizers/downloads", { key }));
  return follow(key);
}

/** What arrived is kept. */
export const cancel = async (key) => take(await ask("DELETE", `api/recognizers/downloads?key=${encodeURIComponent(key)}`));

let followed = null;

/** Looks how far a download is until it is over. */
async function follow(key) {
  if (followed === key) return;
  followed = key;
  while (isComing(find(key) ?? {})) {
    await pause(500);
    // A service that is away for a moment goes on later.
    const entry = await ask("GET", `api/recognizers?key=${encodeURIComponent(key)}`).catch(() => null);
    if (entry) take(entry);
  }
  followed = null;
  if (!isReady(find(key))) return;
  // What was missing is here.
  if (work.problem?.name === "noModel") set({ problem: null, retry: null });
  await look().catch(() => {});
}

function take(entry) {
  const place = list.findIndex((each) => each.key === entry.key);
  if (place >= 0) list[place] = entry;
  else list.push(entry);
  set({});
}
