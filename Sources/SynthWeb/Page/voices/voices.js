import { ask } from "../base/api.js";
import { byId } from "../base/dom.js";
import { alarm, announce, calm } from "../base/announcer.js";
import { explain, look, session } from "../base/session.js";
import { settings } from "../base/settings.js";
import { language, text } from "../base/words.js";

/** All voices by key, in the server's order. */
export const voices = new Map();

const watchers = { list: [], voice: [], selection: [], arrival: [] };

/** Calls `body` when the list, a voice or the selection changes, or a requested voice was installed. */
export const watch = (what, body) => watchers[what].push(body);

// Copy the array, because a watcher may remove itself while it is called.
const tell = (what, ...values) => [...watchers[what]].forEach((body) => body(...values));

let chosen = null;

export function selected() {
  return voices.get(settings.voice) ?? usual();
}

/** Returns the voice that is used if the user has not selected a voice on this page. */
export function usual() {
  if (voices.has(chosen)) return voices.get(chosen);
  const ready = [...voices.values()].filter((voice) => voice.state === "ready" && !voice.hidden);
  return ready.find(isOwn) ?? ready[0];
}

export function select(key) {
  settings.voice = key;
  settings.awaited = null;
  tell("selection");
}

export function bring(key) {
  settings.awaited = key;
  return download(key);
}

function arrive() {
  const voice = voices.get(settings.awaited);
  if (voice?.state !== "ready") return;
  select(voice.key);
  tell("arrival", voice);
}

let source = null;

// Close the stream of a hidden page, because browsers limit connections.
addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", (event) => event.persisted && source && follow());

/** Subscribes to the server's voice events while the page is open. */
export function follow() {
  source?.close();
  source = new EventSource("api/events");
  source.addEventListener("voices", (event) => {
    if (byId("connection").textContent) {
      announce(text("serverBack"));
      calm();
    }
    byId("connection").textContent = "";
    const list = JSON.parse(event.data);
    chosen = list.chosen;
    voices.clear();
    for (const voice of list.voices) voices.set(voice.key, voice);
    tell("list");
    tell("selection");
    arrive();
  });
  source.addEventListener("voice", (event) => take(JSON.parse(event.data)));
  source.onerror = () => {
    byId("connection").textContent = text("serverAway");
    // The browser does not reconnect after an error response.
    if (source.readyState === EventSource.CLOSED) setTimeout(again, 3000);
  };
}

/** Subscribes again, unless the service has a new token. */
async function again() {
  try {
    await look();
    if (session.isShut) {
      byId("connection").textContent = "";
      return;
    }
  } catch {
    // Ignore the error: the service is still not running.
  }
  follow();
}

function take(voice) {
  const before = voices.get(voice.key);
  voices.set(voice.key, voice);
  if (before?.state !== voice.state) {
    if (voice.state === "ready") announce(text("nowReady", { voice: voice.title }));
    if (voice.state === "failed") announce(`${voice.title}: ${voice.problem?.message ?? ""}`);
    if (voice.state === "downloading") announce(text("nowDownloading", { voice: voice.title }));
  }
  tell("voice", voice);
  arrive();
  if (voice.key === selected()?.key) tell("selection");
}

async function change(method, path, body) {
  calm();
  try {
    return await ask(method, path, body);
  } catch (error) {
    if (!explain(error)) alarm(error.message);
    throw error;
  }
}

export const download = async (key) => take(await change("POST", "api/downloads", { key }));
export async function cancel(key) {
  if (settings.awaited === key) settings.awaited = null;
  take(await change("DELETE", `api/downloads?key=${encodeURIComponent(key)}`));
}
export const remove = (key) => change("DELETE", `api/voices?key=${encodeURIComponent(key)}`);

export async function mark(key, marks) {
  take(await change("PUT", `api/marks?key=${encodeURIComponent(key)}`, marks));
  tell("list");
}

export const choose = (key) => change("PUT", "api/chosen", { key });

export async function setProfile(key, profile) {
  take(await ask("PUT", `api/profiles?key=${encodeURIComponent(key)}`, profile));
}

/**
 * Waits until a voice can speak, and downloads it if necessary. Returns false if this failed or was cancelled.
 *
 * @param onNews is called with the voice when its state changes
 */
export async function makeReady(voice, onNews = () => {}) {
  if (voice.state === "ready") return true;
  await download(voice.key);
  return new Promise((resolve) => {
    const see = () => {
      const news = voices.get(voice.key);
      if (news) onNews(news);
      if (news && isBusy(news)) return;
      for (const list of [watchers.voice, watchers.list]) list.splice(list.indexOf(see), 1);
      resolve(news?.state === "ready");
    };
    watch("voice", see);
    watch("list", see);
    see();
  });
}

export const isBusy = (voice) => ["waiting", "downloading", "verifying", "unpacking", "measuring"].includes(voice.state);

const isOwn = (voice) => voice.language.split("-")[0] === language;

/** Returns built-in voices that can speak, best matches for the page's language first. */
export function basics(all) {
  const { region } = new Intl.Locale(language).maximize();
  const rank = (voice) => Number(isOwn(voice)) + Number(voice.language === `${language}-${region}`);
  return all.filter((voice) => voice.size === 0 && voice.state === "ready").sort((one, other) => rank(other) - rank(one));
}

/**
 * Returns the recommended voices, starting with voices for the page's language. Voices for languages other than those of the page, the
 * browser and the text are included only if there are no others.
 */
export function starters(all) {
  const near = [language, byId("reading").lang, ...navigator.languages].map((tag) => tag.split("-")[0]);
  const offered = all.filter((voice) => voice.starter !== null);
  const known = offered.filter((voice) => near.includes(voice.language.split("-")[0]));
  return (known.length > 0 ? known : offered)
    .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)) || one.starter - other.starter);
}
