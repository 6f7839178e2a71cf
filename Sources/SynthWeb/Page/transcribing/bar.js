import { announce } from "../base/announcer.js";
import { byId, make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { measurePlayer, openSheet } from "../base/sheet.js";
import { settings } from "../base/settings.js";
import { bytes, clock, languageName, percent, text } from "../base/words.js";
import { stateText } from "../voices/voice-state.js";
import { knownLanguages } from "./options.js";
import { transcript } from "./paper.js";
import { cancel, current, download, isComing, isReady } from "./recognizers.js";
import { cancelFile, fail, open, record, stop } from "./recorder.js";
import { Trouble } from "./trouble.js";
import { isBusy, set, watchWork, work } from "./work.js";

/** The record button's icon, label and action in each state. */
const deeds = {
  ready: ["microphone", () => text("record"), record],
  done: ["microphone", () => text("record"), record],
  absent: ["download", (entry) => text("downloadSize", { size: bytes(entry.missing) }), acquire],
  failed: ["retry", (entry) => text("retrySize", { size: bytes(entry.missing) }), acquire],
  coming: ["close", () => text("cancel"), (entry) => cancel(entry.key).catch(fail)],
  opening: ["close", () => text("cancel"), stop],
  recording: ["stop", () => text("stopRecording"), stop],
  processing: ["close", () => text("cancel"), stop],
  sending: ["close", () => text("cancel"), cancelFile],
  looking: ["microphone", () => text("record"), null],
  none: ["microphone", () => text("record"), null],
};

/** Shows the state and handles the buttons. */
export function showBar() {
  byId("record").onclick = () => deeds[name()][2]?.(current());
  byId("heard-chip").onclick = chooseModel;
  const chooser = byId("heard-file");
  byId("heard-open").onclick = chooseFile;
  chooser.onchange = () => {
    if (chooser.files[0]) openFile(chooser.files[0]);
    chooser.value = "";
  };
  new ResizeObserver(measurePlayer).observe(byId("recorder"));
  watchWork(render);
  render();
}

const chooseFile = () => isBusy() || byId("heard-file").click();
const chooseModel = () => openSheet("listening", byId("heard-chip"));

/** Transcribes a file. If the model is missing, asks to download it first. */
export function openFile(file) {
  if (isReady(current())) return open(file);
  fail(new Trouble(current() ? "noModel" : "noRecognizer"), () => openFile(file));
}

/** Downloads the model and then transcribes the file that needs it, if any. */
async function acquire(entry) {
  const retry = work.problem?.name === "noModel" && work.retry !== record ? work.retry : null;
  set({ problem: null, retry: null });
  await download(entry.key).catch(fail);
  if (isReady(current())) retry?.();
}

/** Returns the name of the state. */
export function name() {
  if (work.phase !== "idle") return work.phase;
  const entry = current();
  if (!entry) return "none";
  if (isComing(entry)) return "coming";
  if (!isReady(entry)) return entry.state === "failed" ? "failed" : "absent";
  return transcript.text ? "done" : "ready";
}

let last = "";

function render() {
  const state = name();
  const entry = current();
  document.documentElement.dataset.hearing = work.problem ? "problem" : state;
  const told = words(state, entry);
  if (byId("heard-words").textContent !== told) byId("heard-words").textContent = told;
  if (state !== last) {
    // Announce only the model's states here, because the start and end of a recording are announced elsewhere.
    if (last === "coming") announce(isReady(entry) ? text("nowReady", { voice: entry.name }) : told);
    if (["coming", "none", "absent"].includes(state)) announce(told);
    last = state;
    renderButton(state, entry);
  } else if (["absent", "failed"].includes(state)) renderButton(state, entry);
  byId("heard-open").setAttribute("aria-disabled", isBusy());
  // Hide the state if an error is shown, because the error describes the state.
  byId("heard-state").hidden = work.problem !== null && !isBusy();
  byId("heard-level").hidden = state !== "recording";
  // Use a logarithmic scale, like human hearing.
  const level = Math.max(0, Math.min(1, 1 + Math.log10(Math.max(work.level, 1e-4)) / 2.5));
  byId("heard-level").querySelector(".filled").style.scale = `${level} 1`;
  document.documentElement.classList.toggle("busy", isBusy());
  renderProgress(state, entry);
  byId("heard-language").textContent = entry ? (settings.spoken ? languageName(settings.spoken) : knownLanguages(entry)) : text("noRecognizer");
  byId("heard-model").textContent = entry?.name ?? "";
  renderProblem();
}

function renderButton(state, entry) {
  const [drawing, word, deed] = deeds[state];
  const button = byId("record");
  button.replaceChildren(icon(drawing), make("span", { textContent: word(entry) }));
  // A disabled button would lose the focus.
  button.setAttribute("aria-disabled", !deed);
  if (entry && ["absent", "failed", "coming"].includes(state)) button.setAttribute("aria-label", text("ofVoice", { what: button.textContent, voice: entry.name }));
  else button.removeAttribute("aria-label");
}

function renderProgress(state, entry) {
  const bar = byId("heard-progress");
  bar.hidden = !["coming", "sending", "processing"].includes(state);
  const { bytes: come, total } = entry?.progress ?? {};
  const share = state === "coming" ? (total > 0 ? come / total : null) : state === "sending" ? (work.sent < 1 ? work.sent : work.share) : null;
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
}

/** Returns the visible state in one or two sentences. */
function words(state, entry) {
  switch (state) {
    case "absent":
      return text("state-absent", { name: entry.name });
    case "failed":
      return entry.problem?.message ?? text("failed");
    case "coming":
      return entry.state === "downloading" ? `${text("downloading")}: ${stateText(entry)}` : stateText(entry);
    case "recording":
      return [work.isQuiet ? text("tooQuiet") : text("state-recording"), clock(work.seconds), work.isLoading && text("modelLoads")].filter(Boolean).join(" · ");
    case "processing":
      return text(work.isLoading ? "modelLoads" : "state-processing");
    case "sending": {
      const file = work.file || text("recording");
      if (work.sent < 1) return text("sendingShare", { name: file, share: percent(work.sent) });
      return work.share === null ? text("transcribing", { name: file }) : text("transcribingShare", { name: file, share: percent(work.share) });
    }
    default:
      return text(`state-${state}`);
  }
}

/** The main buttons for errors that the user can resolve by choosing another file or model. */
const choices = {
  insecure: ["openFile", chooseFile], unreadable: ["openFile", chooseFile], tooLong: ["openFile", chooseFile], tooLarge: ["openFile", chooseFile],
  noModel: ["listening", chooseModel], otherLanguage: ["listening", chooseModel], recognizerFailed: ["listening", chooseModel], noSpeech: ["listening", chooseModel],
};

/** Returns the labels and actions of an error's buttons. */
function remedies({ name, retryName }, retry) {
  // If the model is missing, the record button offers the download.
  const isOffered = name === "noModel" && current() && !isReady(current());
  return [retry && !isOffered && [retryName ?? "tryAgain", retry], choices[name]].filter(Boolean);
}

function renderProblem() {
  const box = byId("heard-problem");
  const { problem, retry } = work;
  const offered = problem ? remedies(problem, retry) : [];
  const shown = [problem, ...offered.flat()];
  if (box.shown?.length === shown.length && shown.every((each, index) => each === box.shown[index])) return;
  const hadFocus = box.contains(document.activeElement);
  Object.assign(box, { shown, hidden: !problem });
  if (problem) {
    byId("heard-problem-title").textContent = problem.title;
    byId("heard-problem-remedy").textContent = problem.remedy;
    const buttons = offered.map(([word, onclick], index) => make("button", { type: "button", className: index === 0 ? "main" : "light", textContent: text(word), onclick }));
    const close = make("button", { type: "button", className: "light", textContent: text("close"), onclick: () => set({ problem: null, retry: null }) });
    byId("heard-problem-actions").replaceChildren(...buttons, close);
  }
  if (hadFocus) (box.querySelector("button:not([hidden])")?.checkVisibility() ? box.querySelector("button") : byId("record")).focus();
}
