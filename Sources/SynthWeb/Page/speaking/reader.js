import { alarm, announce } from "../base/announcer.js";
import { byId } from "../base/dom.js";
import { explain } from "../base/session.js";
import { settings } from "../base/settings.js";
import { text } from "../base/words.js";
import { column } from "../reading/stage.js";
import { begin, desk, move, read, readable, watchDesk } from "../texts/desk.js";
import { beforePreview, stopPreview } from "../voices/preview.js";
import { sentences } from "../voices/speech.js";
import { perLetter, tuning } from "../voices/tuning.js";
import { cancel, makeReady, selected, voices, watch } from "../voices/voices.js";
import { cuts } from "./cuts.js";
import { Player } from "./player.js";
import { Timeline } from "./timeline.js";

/** How many seconds of audio are generated in advance. */
const ahead = 120;

export const player = new Player();
/** The current speech, with its text, voice, progress and error. */
export let work = null;
export let timeline = new Timeline(0);
let hasEnded = false;
const watchers = [];

export const watchReader = (body) => watchers.push(body);
const tell = () => watchers.forEach((body) => body());

export function prepareReader() {
  player.setSpeed(settings.tempo ?? 1);
  // A hidden page gets no animation frames, so update the marks for each segment.
  player.onChange = () => {
    if (work && player.piece) look(work);
    tell();
  };
  player.onEnd = () => {
    if (work?.broken) return tell();
    announce(text("readToEnd"));
    leave();
    hasEnded = true;
    move(0);
    tell();
  };
  beforePreview(() => player.isPlaying && player.pause());
  watchDesk("text", () => {
    if (work && work.document !== desk.document) leave();
    hasEnded = false;
    measure();
  });
  watch("selection", measure);
  watch("list", measure);
  measure();
}

/** Returns a key for the voice and its settings. If it has changed, paused speech is generated again. */
const soundOf = (voice) => `${voice.key} ${JSON.stringify(tuning(voice))}`;

/** Creates a timeline, unless the current one is for the same text and settings. */
function renew(voice, content = desk.document) {
  const key = `${desk.id} ${content.text.length} ${voice && soundOf(voice)}`;
  if (timeline.key === key) return;
  timeline = new Timeline(content.text.length, perLetter(voice));
  timeline.key = key;
}

function measure() {
  if (!work) renew(selected());
  tell();
}

/** Returns the state: idle, loading, downloading, speaking, paused, waiting, failed or ended. */
export function state() {
  if (!work) return hasEnded ? "ended" : "idle";
  if (work.news) return "downloading";
  if (work.broken && !player.piece) return "failed";
  if (!player.isPlaying) return "paused";
  if (player.isWaiting) return player.pieces.length === 0 ? "loading" : "waiting";
  return "speaking";
}

export const here = () => player.piece?.start ?? (work ? work.reached : desk.place);

/** The current position on the timeline, in seconds. */
export const now = () => (player.piece ? timeline.timeAt(player.piece.start) + player.time : timeline.timeAt(here()));

/** Starts, pauses or resumes speech, or cancels the download that speech is waiting for. */
export function toggle() {
  if (!work) return speak(desk.place);
  if (work.news) return stopDownload();
  if (work.broken && !player.piece) return speak(work.reached);
  if (player.isPlaying) return player.pause();
  const voice = selected();
  if (voice && soundOf(voice) !== work.sound) return speak(here(), voice);
  player.play();
  follow(work);
}

export function setTempo(tempo) {
  settings.tempo = tempo;
  player.setSpeed(tempo);
  tell();
}

export async function speak(from, voice = selected()) {
  // If the text is empty, speak a sample.
  if (desk.document.text === "") begin(text("sampleText"), true);
  if (desk.document.isEmpty) {
    alarm(text("noText"));
    if (desk.isWriting) byId("text").focus();
    return;
  }
  if (!voice) return alarm(text("noVoice"));
  const written = desk.document;
  let content = readable();
  if (content instanceof Promise) content = await content;
  if (desk.document !== written) return; // The text has changed in the meantime.
  leave();
  stopPreview();
  hasEnded = false;
  renew(voice, content);
  const mine = { stop: new AbortController(), voice, sound: soundOf(voice), reached: from, document: content };
  work = mine;
  look(mine);
  tell();
  try {
    if (voice.state !== "ready") {
      mine.news = voice;
      announce(text("downloadsFirst", { voice: voice.title }));
      const isReady = await makeReady(voice, (news) => {
        mine.news = news;
        if (work === mine) tell();
      });
      if (work !== mine) return;
      mine.news = null;
      if (!isReady) {
        leave();
        const why = voices.get(voice.key)?.problem?.message;
        if (why) alarm(why);
        return;
      }
    }
    read(content);
    column.element.lang = mine.document.language || voice.language;
    column.isFollowing = true;
    player.play();
    follow(mine);
    await produce(mine, from);
  } catch (error) {
    if (work !== mine) return;
    if (explain(error)) return leave();
    // Play the existing audio to its end before asking the user how to continue.
    mine.broken = error;
    player.complete();
    tell();
  }
}

/** Generates the audio for all parts, about two minutes ahead of playback. */
async function produce(mine, from) {
  for (const part of cuts(mine.document.text, from)) {
    mine.reached = Math.max(mine.reached, part.start);
    await untilWanted(mine);
    const begun = performance.now();
    let seconds = 0;
    for await (const sentence of sentences(mine.voice, part.text, mine.stop.signal)) {
      if (work !== mine) return;
      // Skip a sentence without audio, such as one that consists of punctuation.
      if (sentence.seconds === 0) continue;
      const moved = ({ start, end, ...more }) => ({ ...more, start: start + part.start, end: end + part.start });
      const piece = { ...moved(sentence), words: sentence.words.map(moved) };
      timeline.add(piece);
      seconds += piece.seconds;
      mine.reached = piece.end;
      player.add(piece);
    }
    // Measure the time needed to generate one second of audio.
    if (seconds > 0) settings.making = { ...settings.making, [mine.voice.key]: (performance.now() - begun) / 1000 / seconds };
    settings.pace = { ...settings.pace, [mine.voice.key]: timeline.perLetter * tuning(mine.voice).rate };
  }
  if (work === mine) player.complete();
}

function untilWanted(mine) {
  return new Promise((resolve) => {
    const look = () => {
      const left = player.pieces.slice(player.index).reduce((sum, piece) => sum + piece.seconds, 0);
      if (work !== mine || left < ahead) return resolve();
      setTimeout(look, 500);
    };
    look();
  });
}

/** Marks the current sentence and word while this speech plays. */
export function follow(mine) {
  look(mine);
  if (mine.isFollowed) return;
  mine.isFollowed = true;
  const next = () => {
    mine.isFollowed = work === mine && player.isPlaying;
    if (!mine.isFollowed) return;
    look(mine);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

function look(mine) {
  if (work !== mine) return;
  const piece = player.piece;
  if (!piece) return showNext(mine);
  mine.awaited = null;
  const word = piece.words.findLast((each) => each.time <= player.time + 0.02);
  column.mark(piece, word);
  if (word !== mine.word) {
    document.documentElement.dataset.word = word ? desk.document.text.slice(word.start, word.end) : "";
  }
  mine.word = word;
  if (piece !== mine.piece) {
    mine.piece = piece;
    move(piece.start);
  }
}

/** Marks the next sentence before it plays. */
function showNext(mine) {
  if (desk.isWriting || mine.awaited === here()) return;
  mine.awaited = here();
  column.mark(desk.document.sentenceFrom(here()), null);
}

/** Cancels the download for this text at the user's request. */
function stopDownload() {
  const { key } = work.voice;
  leave();
  cancel(key).catch(() => {});
}

/** Stops speech. The position in the text is kept. */
export function leave() {
  work?.stop.abort();
  work = null;
  player.stop();
  column.clear();
  tell();
}
