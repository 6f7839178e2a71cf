import { alarm, announce } from "./announcer.js";
import { blocks } from "./blocks.js";
import { byId, debounced, make } from "./dom.js";
import { Player } from "./player.js";
import { beforePreview, stopPreview } from "./preview.js";
import { Reading } from "./reading.js";
import { explain } from "./session.js";
import { settings } from "./settings.js";
import { sentences } from "./speech.js";
import { number, text } from "./text.js";
import { makeReady, selected, voices } from "./voices.js";

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
  takeFiles();
  byId("speak").onclick = () => speak(0);
  byId("pause").onclick = () => (player.isPlaying ? player.pause() : player.play());
  byId("stop").onclick = () => leave();
  byId("previous").onclick = () => player.go(player.time > 2 ? player.index : player.index - 1);
  byId("next").onclick = () => player.go(player.index + 1);
  byId("back").onclick = () => player.skip(-10);
  byId("forward").onclick = () => player.skip(10);
  byId("reading").addEventListener("click", (event) => readFrom(reading.place(event)));
  const tempo = byId("tempo");
  tempo.value = settings.tempo ?? 1;
  tempo.addEventListener("input", setTempo);
  setTempo();
  player.onChange = show;
  player.onEnd = () => {
    if (work?.broken) return;
    announce(text("readToEnd"));
    leave();
  };
  beforePreview(() => player.isPlaying && player.pause());
  show();
}

function setTempo() {
  const tempo = Number(byId("tempo").value);
  settings.tempo = tempo;
  byId("tempo-value").textContent = number(tempo);
  player.setSpeed(tempo);
}

function takeFiles() {
  const pane = byId("reader");
  pane.addEventListener("dragover", (event) => event.preventDefault());
  pane.addEventListener("drop", async (event) => {
    const file = event.dataTransfer.files[0];
    const given = event.dataTransfer.getData("text/plain");
    if (!file && (!given || event.target === byId("text"))) return;
    event.preventDefault();
    leave();
    byId("text").value = file ? await file.text() : given;
    settings.text = byId("text").value;
    byId("text").focus();
  });
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
  const mine = { stop: new AbortController(), broken: null };
  work = mine;
  show();
  try {
    if (voice.state !== "ready") {
      byId("reader-status").textContent = text("downloadsFirst", { voice: voice.title });
      if (!(await makeReady(voice)) || work !== mine) return leave();
    }
    reading.show(all, voice.language);
    byId("reading").setAttribute("aria-label", text("readingLabel"));
    byId("text-field").hidden = true;
    byId("reading").hidden = false;
    player.play();
    follow(mine);
    await produce(all, from, voice, mine);
  } catch (error) {
    if (work === mine && !explain(error)) broken(error, mine);
  }
}

/** Makes the sound of all blocks, some minutes ahead of what sounds. */
async function produce(all, from, voice, mine) {
  mine.reached = from;
  for (const block of blocks(all, from)) {
    mine.reached = Math.max(mine.reached, block.start);
    await untilWanted(mine);
    for await (const sentence of sentences(voice, block.text, mine.stop.signal)) {
      if (work !== mine) return;
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

/** The speech broke: what was made is played, then the reader chooses how to go on. */
function broken(error, mine) {
  if (error.name === "AbortError") return;
  mine.broken = error;
  player.complete();
  const reached = mine.reached ?? 0;
  const isOther = (voice) => voice.state === "ready" && voice.key !== selected()?.key;
  const language = selected()?.language.split("-")[0];
  const others = [...voices.values()]
    .filter(isOther)
    .sort((one, other) => Number(isOf(other, language)) - Number(isOf(one, language)));
  const menu = make(
    "select",
    {},
    ...others.slice(0, 200).map((voice) => make("option", { value: voice.key, textContent: voice.title })),
  );
  const again = make("button", { type: "button", textContent: text("goOn"), onclick: () => speak(reached) });
  const other = make("button", {
    type: "button",
    textContent: text("goOnWith"),
    onclick: () => speak(reached, voices.get(menu.value)),
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
    speak(Math.max(0, ...[...before.matchAll(/[.!?…]\s+|\n/g)].map((match) => match.index + match[0].length)));
  }
}

/** Marks what sounds, as long as this speech is the one that is read. */
function follow(mine) {
  if (work !== mine) return;
  const piece = player.piece;
  if (piece && player.isPlaying) {
    const word = piece.words.findLast((each) => each.time <= player.time + 0.02);
    reading.mark(piece, word);
    document.documentElement.dataset.word = word ? byId("text").value.slice(word.start, word.end) : "";
  }
  requestAnimationFrame(() => follow(mine));
}

/** Silence; the text can be changed again. */
export function leave() {
  const hadFocus = byId("reading") === document.activeElement || byId("broken").contains(document.activeElement);
  work?.stop.abort();
  work = null;
  player.stop();
  reading.clear();
  byId("broken").hidden = true;
  byId("reading").hidden = true;
  byId("text-field").hidden = false;
  byId("reader-status").textContent = "";
  if (hadFocus || document.activeElement === document.body) byId("speak").focus();
  show();
}

function show() {
  const isReading = work !== null;
  const hadFocus = document.activeElement;
  for (const id of ["pause", "stop", "previous", "next", "back", "forward"]) byId(id).disabled = !isReading;
  byId("pause").textContent = text(player.isPlaying || !isReading ? "pause" : "play");
  byId("speak").textContent = text(isReading ? "speakAgain" : "speak");
  if (hadFocus?.disabled) byId("speak").focus();
  if (!isReading || byId("reading").hidden) return;
  byId("reader-status").textContent = player.isWaiting && !work.broken ? text("isMade") : "";
}
