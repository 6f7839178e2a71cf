import { alarm, announce } from "./announcer.js";
import { blocks } from "./blocks.js";
import { byId, debounced, make } from "./dom.js";
import { takeFiles } from "./files.js";
import { Player } from "./player.js";
import { beforePreview, stopPreview } from "./preview.js";
import { Reading } from "./reading.js";
import { explain } from "./session.js";
import { settings } from "./settings.js";
import { sentences } from "./speech.js";
import { label, number, text } from "./text.js";
import { stateText } from "./voice-state.js";
import { cancel, isBusy, makeReady, selected, voices, watch } from "./voices.js";

/** Seconds of sound that are made ahead of what sounds. */
const ahead = 120;

const player = new Player();
let reading = null;
let work = null;

/** The pane in which a text is read aloud. */
export function showReader() {
  reading = new Reading(byId("reading"));
  byId("text").value = settings.text ?? text("sampleText");
  byId("text").addEventListener("input", debounced(400, () => (settings.text = byId("text").value)));
  takeFiles(takeText);
  byId("speak").onclick = () => speak(0);
  byId("pause").onclick = () => (player.isPlaying ? player.pause() : player.play());
  byId("stop").onclick = stop;
  const move = (id, body) =>
    (byId(id).onclick = () => {
      reading.isFollowing = true;
      body();
    });
  move("previous", () => player.go(player.time > 2 ? player.index : player.index - 1));
  move("next", () => player.go(player.index + 1));
  move("back", () => player.skip(-10));
  move("forward", () => player.skip(10));
  byId("reading").addEventListener("click", (event) => readFrom(reading.place(event)));
  const tempo = byId("tempo");
  tempo.value = settings.tempo ?? 1;
  tempo.addEventListener("input", setTempo);
  setTempo();
  player.onChange = show;
  player.onEnd = () => {
    if (work?.broken) return offer(work);
    announce(text("readToEnd"));
    leave();
  };
  beforePreview(() => player.isPlaying && player.pause());
  watch("list", showSpeaker);
  watch("selection", showSpeaker);
  show();
}

/** Who speaks, or would. */
function showSpeaker() {
  const voice = work?.voice ?? selected();
  byId("speaker").textContent = voice ? text("speaker", { voice: voice.title }) : "";
}

function setTempo() {
  const tempo = Number(byId("tempo").value);
  settings.tempo = tempo;
  byId("tempo-value").textContent = number(tempo);
  player.setSpeed(tempo);
}

function takeText(content) {
  leave();
  byId("text").value = content;
  byId("text").dispatchEvent(new Event("input"));
  byId("text").focus();
}

/** Speaks the text from a place on, with a voice. */
export async function speak(from, voice = selected()) {
  const all = byId("text").value;
  if (!/[\p{L}\p{N}]/u.test(all)) {
    alarm(text("noText"));
    byId("text").focus();
    return;
  }
  if (!voice) return alarm(text("noVoice"));
  leave();
  stopPreview();
  const mine = { stop: new AbortController(), broken: null, voice, reached: from };
  work = mine;
  show();
  try {
    if (voice.state !== "ready") {
      byId("reader-status").textContent = text("downloadsFirst", { voice: voice.title });
      const isReady = await makeReady(voice, (news) => work === mine && showArrival(news));
      if (work !== mine) return;
      if (!isReady) {
        const why = voices.get(voice.key)?.problem?.message;
        leave();
        if (why) alarm(why);
        return;
      }
      byId("arrival").hidden = true;
    }
    reading.show(all, voice.language);
    byId("reading").setAttribute("aria-label", text("readingLabel"));
    for (const id of ["text-field", "file-line"]) byId(id).hidden = true;
    byId("reading").hidden = false;
    player.play();
    follow(mine);
    await produce(all, from, voice, mine);
  } catch (error) {
    if (work !== mine) return;
    if (explain(error)) return leave();
    // Nothing is lost yet: what was made sounds before the reader is asked.
    mine.broken = error;
    player.complete();
  }
}

/** How far the voice is that is downloaded first. Bytes are for the eye only. */
function showArrival(voice) {
  byId("arrival").hidden = !isBusy(voice);
  byId("arrival-text").textContent = stateText(voice);
  const bar = byId("arrival-bar");
  if (voice.progress?.total > 0) Object.assign(bar, { max: voice.progress.total, value: voice.progress.bytes });
  else bar.removeAttribute("value");
}

/** Makes the sound of all blocks, some minutes ahead of what sounds. */
async function produce(all, from, voice, mine) {
  for (const block of blocks(all, from)) {
    mine.reached = Math.max(mine.reached, block.start);
    await untilWanted(mine);
    for await (const sentence of sentences(voice, block.text, mine.stop.signal)) {
      if (work !== mine) return;
      // Signs that nobody speaks have no sound.
      if (sentence.seconds === 0) continue;
      const moved = ({ start, end, ...more }) => ({ ...more, start: start + block.start, end: end + block.start });
      player.add({ ...moved(sentence), words: sentence.words.map(moved) });
      mine.reached = sentence.end + block.start;
    }
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

/** The speech broke, and what was made has sounded: the reader chooses how to go on. */
function offer({ broken: error, reached, voice }) {
  if (!byId("broken").hidden) return;
  // Who went back meanwhile goes on from there.
  const place = () => player.piece?.start ?? reached;
  const likeness = (each) => Number(isOf(each, language)) + Number(each.language === voice.language);
  const isOther = (each) => each.state === "ready" && each.key !== voice.key;
  const language = voice.language.split("-")[0];
  const others = [...voices.values()]
    .filter(isOther)
    .sort((one, other) => likeness(other) - likeness(one));
  const menu = make(
    "select",
    {},
    ...others
      .slice(0, 200)
      .map((each) => make("option", { value: each.key, textContent: each.title, lang: each.language })),
  );
  const again = make("button", { type: "button", textContent: text("goOn"), onclick: () => speak(place(), voices.get(voice.key)) });
  const other = make("button", {
    type: "button",
    textContent: text("goOnWith"),
    onclick: () => speak(place(), voices.get(menu.value)),
  });
  byId("broken").replaceChildren(
    make("p", { textContent: `${text("speechBroke")} ${error.message}` }),
    make(
      "div",
      { className: "line" },
      again,
      ...(others.length ? [make("label", {}, `${text("otherVoice")} `, menu), other] : []),
    ),
  );
  byId("broken").hidden = false;
  show();
}

const isOf = (voice, language) => voice.language.split("-")[0] === language;

function readFrom(place) {
  if (place === null || !work) return;
  const index = player.pieces.findIndex((piece) => piece.url !== null && place >= piece.start && place < piece.end);
  reading.isFollowing = true;
  if (index >= 0) {
    player.isPlaying = true;
    player.go(index);
  } else {
    const all = byId("text").value;
    const before = all.slice(0, place);
    const voice = voices.get(work.voice.key);
    speak(Math.max(0, ...[...before.matchAll(/[.!?…]\s+|\n/g)].map((match) => match.index + match[0].length)), voice);
  }
}

/** Marks what sounds, as long as this speech is the one that is read. */
function follow(mine) {
  if (work !== mine) return;
  const piece = player.piece;
  if (piece && player.isPlaying) {
    const word = piece.words.findLast((each) => each.time <= player.time + 0.02);
    reading.mark(piece, word);
    if (word !== mine.word) {
      document.documentElement.dataset.word = word ? byId("text").value.slice(word.start, word.end) : "";
    }
    mine.word = word;
  }
  requestAnimationFrame(() => follow(mine));
}

/** As the reader wants it: what is downloaded for this text is left, too. */
function stop() {
  const awaited = work && !byId("arrival").hidden ? work.voice.key : null;
  leave();
  if (awaited) cancel(awaited).catch(() => {});
}

/** Silence; the text can be changed again. */
export function leave() {
  const hadFocus = byId("reading") === document.activeElement || byId("broken").contains(document.activeElement);
  work?.stop.abort();
  work = null;
  player.stop();
  reading.clear();
  byId("broken").hidden = true;
  byId("arrival").hidden = true;
  byId("reading").hidden = true;
  for (const id of ["text-field", "file-line"]) byId(id).hidden = false;
  byId("reader-status").textContent = "";
  if (hadFocus || document.activeElement === document.body) byId("speak").focus({ preventScroll: true });
  show();
}

function show() {
  const isReading = work !== null;
  const hadFocus = document.activeElement;
  for (const id of ["pause", "stop", "previous", "next", "back", "forward"]) {
    byId(id).disabled = !isReading;
    byId(id).hidden = !isReading;
  }
  const isPaused = isReading && !player.isPlaying;
  label(byId("pause"), isPaused ? "play" : "pause");
  byId("pause").classList.toggle("paused", isPaused);
  showSpeaker();
  byId("speak").textContent = text(isReading ? "speakAgain" : "speak");
  if (hadFocus?.disabled) byId("speak").focus();
  if (!isReading || byId("reading").hidden) return;
  byId("reader-status").textContent = player.isWaiting && !work.broken ? text("isMade") : "";
}
