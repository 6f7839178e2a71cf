import { ask } from "../base/api.js";
import { byId } from "../base/dom.js";
import { alarm, announce, calm } from "../base/announcer.js";
import { explain, look, session } from "../base/session.js";
import { settings } from "../base/settings.js";
import { language, text } from "../base/words.js";

/** All voices by their keys, in the order of the server. */
export const voices = new Map();

const watchers = { list: [], voice: [], selection: [], arrival: [] };

/** Calls `body` when the whole list, one voice, or the selection has changed, or when a voice has come that was waited for. */
export const watch = (what, body) => watchers[what].push(body);

// A copy, because a watcher may remove itself while it is called.
const tell = (what, ...values) => [...watchers[what]].forEach((body) => body(...values));

let chosen = null;

/** The voice that speaks on this page; undefined as long as there is none. */
export function selected() {
  return voices.get(settings.voice) ?? usual();
}

/** The one that speaks as long as nobody has chosen one here. */
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

/** Downloads a voice that is to speak. Until it is here, the one speaks that does now. */
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

// A browser keeps pages that were left, and has few connections for all of them.
addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", (event) => event.persisted && source && follow());

/** Follows the voices of the server as long as the page is open. */
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
    // A browser gives up when the answer is an error.
    if (source.readyState === EventSource.CLOSED) setTimeout(again, 3000);
  };
}

/** Follows them again, unless the service has another token now. */
async function again() {
  try {
    await look();
    if (session.isShut) {
      byId("connection").textContent = "";
      return;
    }
  } catch {
    // It is still away.
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

/** Lists it before the others, or leaves it out: `favourite`, `hidden`. */
export async function mark(key, marks) {
  take(await change("PUT", `api/marks?key=${encodeURIComponent(key)}`, marks));
  tell("list");
}

export const choose = (key) => change("PUT", "api/chosen", { key });

export async function setProfile(key, profile) {
  take(await ask("PUT", `api/profiles?key=${encodeURIComponent(key)}`, profile));
}

/**
 * Waits until a voice can speak, downloading it first if it must, and tells `onNews` how it is meanwhile; false if it was
 * cancelled or failed.
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

/** Whether a download of it is under way. */
export const isBusy = (voice) => ["waiting", "downloading", "verifying", "unpacking", "measuring"].includes(voice.state);

/** Whether it speaks the page's language. */
const isOwn = (voice) => voice.language.split("-")[0] === language;

/** Those that came with an engine and speak at once; first the one that speaks for who has no other. */
export function basics(all) {
  const { region } = new Intl.Locale(language).maximize();
  const rank = (voice) => Number(isOwn(voice)) + Number(voice.language === `${language}-${region}`);
  return all.filter((voice) => voice.size === 0 && voice.state === "ready").sort((one, other) => rank(other) - rank(one));
}

/** The voices that a newcomer is offered, those of the page's language first; none of a language that is foreign to reader and text. */
export function starters(all) {
  const near = [language, byId("reading").lang, ...navigator.languages].map((tag) => tag.split("-")[0]);
  const offered = all.filter((voice) => voice.starter !== null);
  const known = offered.filter((voice) => near.includes(voice.language.split("-")[0]));
  return (known.length > 0 ? known : offered)
    .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)) || one.starter - other.starter);
}
