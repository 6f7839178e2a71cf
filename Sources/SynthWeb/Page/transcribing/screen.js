import { calm } from "../base/announcer.js";
import { reach } from "../base/api.js";
import { byId, make } from "../base/dom.js";
import { explain } from "../base/session.js";
import { closeSheets, measurePlayer, onOpen } from "../base/sheet.js";
import { addTexts, language, text } from "../base/words.js";
import { fileName, hand } from "../saving/handing.js";
import { player, speak } from "../speaking/reader.js";
import { begin } from "../texts/desk.js";
import { name, openFile, showBar } from "./bar.js";
import { subtitles } from "./cues.js";
import { showEarlier } from "./earlier.js";
import { makeScreen } from "./frame.js";
import { openOptions } from "./options.js";
import { addPart, isEditing, lay, markAt, preparePaper, show, showTail, takeEdits, transcript } from "./paper.js";
import { canPlay, load, pausePlayback, preparePlayback, skip, toggle } from "./playback.js";
import { look } from "./recognizers.js";
import { fail, open as transcribe, stop, writeTo } from "./recorder.js";
import * as store from "./store.js";
import { explained, Trouble } from "./trouble.js";
import { empty, titleOf } from "./transcript.js";
import { isBusy, set, watchWork, work } from "./work.js";

const address = "#transcribe";
const root = document.documentElement;
/** The transcript on the screen. */
let entry = null;
let made = null;

/**
 * Shows the screen.
 *
 * @param file a file to transcribe immediately
 */
export async function open(file) {
  await (made ??= prepare().catch((error) => ((made = null), Promise.reject(error))));
  closeSheets();
  calm();
  if (player.isPlaying) player.pause();
  if (location.hash !== address) history.pushState(null, "", address);
  swap(true);
  // Another page may have changed the list.
  showList();
  byId("record").focus({ preventScroll: true });
  if (work.phase === "looking" || !isBusy()) await look().catch((error) => (set({ phase: "idle" }), fail(error, () => open())));
  if (file) openFile(file);
}

async function prepare() {
  const path = (tag) => new URL(`text/${tag}.json`, import.meta.url);
  const answers = [reach(path(language), {}), make("link", { rel: "stylesheet", href: "page/look/transcribing.css" })];
  const dress = new Promise((onload, onerror) => document.head.append(Object.assign(answers[1], { onload, onerror })));
  let texts = await answers[0];
  if (!texts.ok) texts = await reach(path("en"), {});
  addTexts((await texts.json()).strings);
  await dress;
  makeScreen();
  preparePlayback(markAt);
  preparePaper(() => ((entry.transcript = transcript), keep()));
  lay(empty());
  writeTo({ begin: beginEntry, part: addPart, tail: showTail, end: endEntry });
  showBar();
  watchWork(render);
  onOpen("listening", openOptions);
  byId("leave-transcribing").onclick = leave;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  byId("heard-hint").textContent = text("heardHint");
  byId("heard-privacy").textContent = text(isHere ? "heardStaysHere" : "heardStaysThere", { host: location.hostname });
  byId("heard-speak").onclick = readAloud;
  byId("heard-copy").onclick = copy;
  byId("heard-edit").onclick = () => (isEditing() ? takeEdits() : show(true));
  for (const button of document.querySelectorAll(".saves button")) button.onclick = () => save(button.value);
  addEventListener("popstate", () => (location.hash === address ? open() : swap(false)));
  addEventListener("beforeunload", (event) => work.phase === "recording" && event.preventDefault());
  // Listen in the capture phase, so that this handler runs before the sheets' handlers, which also handle Escape.
  document.addEventListener("keydown", keys, true);
}

/** Switches between this screen and the reader. */
function swap(isOn) {
  if (!isOn) {
    takeEdits();
    stop();
    pausePlayback();
  }
  root.classList.toggle("transcribing", isOn);
  for (const id of ["transcribing", "recorder"]) byId(id).hidden = !isOn;
  for (const id of ["column", "player"]) byId(id).hidden = isOn;
  document.title = "synthhost";
  render();
  measurePlayer();
  scrollTo({ top: 0, behavior: "instant" });
}

function leave() {
  closeSheets();
  history.replaceState(null, "", location.pathname + location.search);
  swap(false);
  const opener = byId("open-transcribe");
  (opener.checkVisibility() ? opener : byId("speak")).focus({ preventScroll: true });
}

function render() {
  if (root.classList.contains("transcribing")) document.title = `${work.phase === "recording" ? "● " : ""}${text("transcribe")} · synthhost`;
  const hasText = transcript.text !== "";
  root.classList.toggle("written", hasText || isBusy());
  byId("heard-start").hidden = hasText || isBusy();
  byId("heard-tools").hidden = !hasText || isBusy();
  byId("heard").hidden = isEditing() || !(hasText || isBusy());
  byId("heard").classList.toggle("playable", canPlay());
  byId("heard-earlier").inert = isBusy();
}

// MARK: The transcript

function beginEntry(name, isAgain) {
  takeEdits();
  if (!isAgain || !entry) entry = { id: `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`, time: Date.now(), name };
  load(null);
  lay(empty());
  showList();
}

async function endEntry(sound, seconds, spoken, trouble) {
  showTail("", "");
  Object.assign(entry, { sound, seconds, transcript, language: spoken });
  load(sound, seconds);
  byId("heard").lang = spoken ?? "";
  // Also store a recording that could not be transcribed, so that the user can retry. Files need not be stored, because the user still has
  // them.
  if (transcript.text || (trouble && !entry.name && seconds > 1)) await keep();
  await showList();
}

async function keep() {
  await store.keep({ ...entry });
  await showList();
}

const showList = () => showEarlier(() => entry?.id, layEntry, (ids) => ids.includes(entry?.id) && clear());

function clear() {
  entry = null;
  load(null);
  lay(empty());
  set({ problem: null, retry: null });
}

function layEntry(kept) {
  if (isBusy()) return;
  takeEdits();
  entry = { ...kept };
  lay(kept.transcript);
  load(kept.sound, kept.seconds);
  byId("heard").lang = kept.language ?? "";
  set({ problem: null, retry: null });
  if (!kept.transcript.text) {
    const again = () => transcribe(kept.sound, kept.name, true);
    set({ problem: { ...explained(new Trouble("untranscribed")), retryName: "transcribeAgain" }, retry: kept.sound ? again : null });
  }
  showList();
  scrollTo({ top: 0, behavior: "instant" });
  byId(transcript.text ? "heard" : "record").focus({ preventScroll: true });
}

// MARK: Actions

function readAloud() {
  takeEdits();
  const { text: whole } = transcript;
  leave();
  begin(whole);
  byId("speak").focus({ preventScroll: true });
  speak(0).catch((error) => explain(error));
}

async function copy() {
  takeEdits();
  const words = byId("heard-copy").querySelector(".words");
  try {
    await navigator.clipboard.writeText(transcript.text);
    words.textContent = text("copied");
    byId("announcer").textContent = text("copied");
  } catch {
    getSelection().selectAllChildren(byId("heard"));
  }
  setTimeout(() => (words.textContent = text("copy")), 3000);
}

function save(form) {
  takeEdits();
  const content = form === "txt" ? `${transcript.text}\n` : subtitles(transcript, form);
  const stem = entry?.name ? entry.name.replace(/\.\w{1,5}$/, "") : titleOf(transcript, 40);
  hand(new Blob([content], { type: "text/plain;charset=utf-8" }), `${fileName(stem)}.${form}`);
}

/** Handles keys: the space bar plays, the arrow keys go back and forward by ten seconds, and Escape stops the current activity. */
function keys(event) {
  if (!root.classList.contains("transcribing") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (document.querySelector("dialog[open]")) return;
    if (isEditing()) takeEdits(), byId("heard-edit").focus();
    else if (name() === "recording") stop();
    return;
  }
  const isUsed = event.target.closest("input, textarea, select, dialog") || (event.key === " " ? event.target.closest("button, a, summary") : event.target.closest("#heard"));
  if (isUsed || !canPlay()) return;
  if (event.key === " ") toggle();
  else if (event.key === "ArrowLeft") skip(-10);
  else if (event.key === "ArrowRight") skip(10);
  else return;
  event.preventDefault();
}
