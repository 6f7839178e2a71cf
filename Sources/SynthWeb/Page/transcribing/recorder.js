import { announce, calm } from "../base/announcer.js";
import { explain } from "../base/session.js";
import { settings } from "../base/settings.js";
import { text } from "../base/words.js";
import { waveHead } from "../voices/speech.js";
import { Live } from "./live.js";
import { openMicrophone, rate } from "./microphone.js";
import { current, look } from "./recognizers.js";
import { explained, Trouble } from "./trouble.js";
import { transcribeFile } from "./upload.js";
import { set, work } from "./work.js";

/** The maximum size of a recording that the service accepts, in bytes. */
const longestFile = 256e6;
/** The minimum level of speech, and how many seconds below that level cause a warning: before any speech, and after it. */
const [quiet, patience, longPatience] = [0.003, 4, 30];

/** The functions that show results: `begin(name)`, `part(part)`, `tail(stable, tentative)`, `end(sound, seconds, language)`. */
let page = null;
export const writeTo = (target) => (page = target);

let recording = null;
let stopFile = null;

/** The options for the service. */
export const order = () => ({
  model: current()?.key,
  language: settings.spoken || undefined,
  keywords: (settings.ownWords ?? "").split(/[\n,;]+/).map((word) => word.trim()).filter(Boolean),
});

/**
 * Shows an error, or the instructions for getting the token if it is required.
 *
 * @param retry tries again
 */
export function fail(error, retry = null) {
  if (error.name === "AbortError" || explain(error)) return set({ problem: null, retry: null });
  const problem = explained(error);
  announce(`${problem.title} ${problem.remedy}`);
  set({ problem, retry: problem.mayWork ? retry : null });
  // Another page may have removed the model.
  if (["noModel", "noRecognizer"].includes(problem.name)) look().catch(() => {});
}

/** Records until `stop` is called. The audio is transcribed while it is being recorded. */
export async function record() {
  calm();
  set({ phase: "opening", problem: null, retry: null, isLoading: false, seconds: 0, level: 0, isQuiet: false });
  const mine = { parts: [], pieces: [], samples: 0, quietSince: 0, hasSpeech: false };
  recording = mine;
  // The model is loaded while the browser asks for permission.
  mine.live = new Live({ ...order(), rate }, {
    loading: (isLoading) => recording === mine && set({ isLoading }),
    tail: (stable, tentative) => recording === mine && page.tail(stable, tentative),
    part: (part) => {
      if (recording !== mine) return;
      mine.language ??= part.language;
      mine.hasSpeech ||= Boolean(part.text.trim());
      page.part(part);
    },
    failed: (error) => (mine.trouble = error) && fail(error),
    trouble: (error) => {
      if (recording !== mine) return;
      mine.trouble = error;
      fail(error, record);
      if (["opening", "recording"].includes(work.phase)) stop();
    },
    end: () => end(mine),
  });
  try {
    mine.close = await openMicrophone((samples, level) => take(mine, samples, level), () => recording === mine && lose(mine));
  } catch (error) {
    mine.live.leave();
    if (recording !== mine) return;
    recording = null;
    set({ phase: "idle" });
    return fail(error, record);
  }
  // The user may have stopped the recording while the browser asked for permission.
  if (recording !== mine) return mine.close();
  page.begin("");
  keepAwake(mine);
  set({ phase: "recording" });
  announce(text("state-recording"));
}

function take(mine, samples, level) {
  mine.pieces.push(samples);
  mine.samples += samples.length;
  mine.live.send(samples);
  // Collect the samples in blobs, because browsers can move blobs out of memory. This is important for long recordings.
  if (mine.pieces.length >= 600) mine.parts.push(new Blob(mine.pieces.splice(0)));
  const seconds = mine.samples / rate;
  if (level > quiet) mine.quietSince = seconds;
  if (recording === mine) set({ seconds, level, isQuiet: seconds - mine.quietSince > (mine.hasSpeech ? longPatience : patience) });
}

/** Handles the loss of the microphone. The recording is kept. */
function lose() {
  fail(new Trouble("micBusy"));
  stop();
}

/** Prevents a phone from sleeping while it records, if the browser supports this. */
async function keepAwake(mine) {
  mine.lock = await navigator.wakeLock?.request("screen").catch(() => null);
  if (recording !== mine) mine.lock?.release();
}

/** Ends the recording, or cancels the request for the microphone. */
export async function stop() {
  const mine = recording;
  if (work.phase === "opening") {
    recording = null;
    mine.live.leave();
    return set({ phase: "idle" });
  }
  // If the recording is already being processed, the user does not want to wait for the rest of the transcript.
  if (work.phase === "processing") return mine.live.leave(), finish(mine);
  if (!mine || work.phase !== "recording") return;
  set({ phase: "processing", level: 0, isQuiet: false });
  // Do not interrupt the announcement of an error.
  if (!work.problem) announce(text("state-processing"));
  await mine.close();
  mine.lock?.release();
  mine.live.finish();
  if (mine.hasEnded) finish(mine);
}

/** Handles the end of the results from the service. */
function end(mine) {
  mine.hasEnded = true;
  if (recording !== mine) return;
  if (work.phase === "recording") return stop();
  if (work.phase === "processing") finish(mine);
}

function finish(mine) {
  if (recording !== mine) return;
  recording = null;
  const length = mine.samples * 2;
  const sound = new Blob([waveHead(length, rate), ...mine.parts, ...mine.pieces], { type: "audio/wav" });
  page.end(sound, mine.samples / rate, mine.language, mine.trouble);
  set({ phase: "idle", isLoading: false });
  // The user can retry, because the recording still exists.
  if (mine.trouble && work.problem?.mayWork && mine.samples > rate / 2) set({ problem: { ...work.problem, retryName: "transcribeAgain" }, retry: () => open(sound, "", true) });
  else if (!mine.hasSpeech && !work.problem) fail(new Trouble("noSpeech"));
  else if (!work.problem) announce(text("state-done"));
}

/**
 * Transcribes a file.
 *
 * @param name the file name, or an empty string for a recording made on this page
 * @param isAgain whether the result replaces the previous one
 */
export async function open(file, name = file.name, isAgain = false) {
  calm();
  if (work.phase !== "idle") return;
  if (file.size === 0 || file.size > longestFile) return fail(new Trouble(file.size === 0 ? "unreadable" : "tooLarge"));
  const stopped = new AbortController();
  stopFile = stopped;
  set({ phase: "sending", problem: null, retry: null, sent: 0, share: null, file: name });
  page.begin(name, isAgain);
  announce(text("state-sending", { name: work.file }));
  let seconds = await lengthOf(file);
  let hasSpeech = false;
  try {
    const about = await transcribeFile(file, order(), {
      sent: (sent) => set({ sent }),
      part: (part) => {
        hasSpeech ||= Boolean(part.text.trim());
        page.part(part);
        set({ share: seconds ? Math.min(1, part.end / seconds) : null });
      },
      tail: (sure) => page.tail(sure, ""),
    }, stopped.signal);
    seconds ??= about.seconds;
    page.end(file, seconds, about.language);
    set({ phase: "idle" });
    if (hasSpeech) announce(text("state-done"));
    else fail(new Trouble("noSpeech"));
  } catch (error) {
    page.end(file, seconds, undefined, error);
    set({ phase: "idle" });
    fail(error, () => open(file, name, true));
  }
  stopFile = null;
}

export const cancelFile = () => stopFile?.abort();

/** Returns the duration of a file in seconds, or undefined if this browser cannot play it. */
function lengthOf(file) {
  return new Promise((resolve) => {
    const audio = new Audio();
    const done = (seconds) => {
      URL.revokeObjectURL(audio.src);
      resolve(Number.isFinite(seconds) && seconds > 0 ? seconds : undefined);
    };
    audio.onloadedmetadata = () => done(audio.duration);
    audio.onerror = () => done(NaN);
    setTimeout(() => done(NaN), 2000);
    audio.src = URL.createObjectURL(file);
  });
}
