import { choose, showChoices } from "../base/choices.js";
import { byId, debounced } from "../base/dom.js";
import { icon, show } from "../base/icons.js";
import { measurePlayer } from "../base/sheet.js";
import { about, clock, label, number, text } from "../base/words.js";
import { column } from "../reading/stage.js";
import { desk, watchDesk } from "../texts/desk.js";
import { progressText } from "../voices/voice-state.js";
import { goTo, readFrom, showPlace, skip, step } from "./moving.js";
import { now, player, setTempo, state, timeline, toggle, watchReader, work } from "./reader.js";
import * as sleep from "./sleep.js";

let drawing = null;
/** The position to which the user is dragging the slider, or null if the slider follows the speech. */
let held = null;
/** The start and end of the chapter on the slider, in seconds from the beginning of the text. */
let span = { from: 0, to: 0 };

export function showBar() {
  drawing = icon("play");
  byId("speak").replaceChildren(drawing);
  byId("speak").onclick = toggle;
  byId("previous").onclick = () => step(-1);
  byId("next").onclick = () => step(1);
  byId("back").onclick = () => skip(-10);
  byId("forward").onclick = () => skip(10);
  byId("follow").onclick = () => {
    column.follow();
    render();
  };
  column.onLeave = debounced(80, render);
  addEventListener("scroll", debounced(120, render), { passive: true });
  byId("reading").addEventListener("click", async (event) => {
    if (!getSelection().isCollapsed) return;
    const place = await column.place(event);
    if (place !== null) readFrom(place);
  });
  showTimeline();
  showTempo();
  const { fire } = sleep.showSleep(() => player.isPlaying && player.pause());
  let part;
  watchDesk("place", () => {
    const { start } = desk.document.chapterAt(desk.place);
    if (sleep.endsWithPart && start !== part && work) fire();
    part = start;
  });
  watchReader(render);
  watchDesk("place", render);
  watchDesk("text", () => requestAnimationFrame(showPlace));
  new ResizeObserver(measurePlayer).observe(byId("player"));
  render();
  requestAnimationFrame(showPlace);
}

function showTimeline() {
  const line = byId("timeline");
  line.addEventListener("input", () => {
    held = span.from + Number(line.value);
    renderTime();
  });
  line.addEventListener("change", () => {
    held = null;
    goTo(Math.min(timeline.placeAt(span.from + Number(line.value)), desk.document.chapterAt(desk.place).end - 1));
    render();
  });
  line.addEventListener("keydown", (event) => {
    const seconds = { ArrowLeft: -10, ArrowDown: -10, ArrowRight: 10, ArrowUp: 10 }[event.key];
    if (!seconds) return;
    event.preventDefault();
    skip(seconds);
  });
}

function showTempo() {
  const tempo = byId("tempo");
  tempo.value = player.speed;
  const usual = ["0.8", "1", "1.25", "1.5", "2"].map((value) => [value, `${number(Number(value))}×`]);
  showChoices(byId("tempos"), usual, String(player.speed), (value) => {
    tempo.value = value;
    tempo.dispatchEvent(new Event("input"));
  });
  const shown = () => {
    byId("tempo-value").textContent = `${number(player.speed)}×`;
    byId("tempo-shown").textContent = `${number(player.speed)}×`;
    byId("open-pace").setAttribute("aria-label", `${text("tempo")} ${number(player.speed)}`);
  };
  tempo.addEventListener("input", () => {
    setTempo(Number(tempo.value));
    choose(byId("tempos"), player.speed);
    shown();
  });
  shown();
}

function render() {
  const name = state();
  document.documentElement.dataset.state = name;
  const isOn = ["loading", "speaking", "waiting"].includes(name);
  show(drawing, name === "downloading" ? "stop" : isOn ? "pause" : "play");
  label(byId("speak"), name === "downloading" ? "cancelDownload" : isOn ? "pause" : work ? "goOn" : "speak");
  byId("state").textContent = words(name);
  byId("follow").hidden = desk.isWriting || column.isFollowing || !work || column.isInSight;
  renderTime();
  if (isOn && !render.isWaiting) {
    render.isWaiting = true;
    requestAnimationFrame(tick);
  }
}

function tick() {
  render.isWaiting = false;
  if (!player.isPlaying) return;
  render.isWaiting = true;
  renderTime();
  requestAnimationFrame(tick);
}

/** Returns the text for a state. It is not announced, because screen reader users hear the speech itself. */
function words(name) {
  switch (name) {
    case "idle":
      return text(desk.document.isEmpty ? "state-empty" : "state-idle");
    case "downloading":
      return progressText(work.news);
    default: {
      const minutes = sleep.minutesLeft();
      return name === "speaking" && minutes ? text("state-sleep", { minutes }) : text(`state-${name}`);
    }
  }
}

let last = "";

function renderTime() {
  const { start, end, number: chapter, count } = desk.document.chapterAt(desk.place);
  span = { from: timeline.timeAt(start), to: timeline.timeAt(end) };
  const length = span.to - span.from;
  const time = Math.max(0, Math.min((held ?? now()) - span.from, length));
  const { speed } = player;
  const elapsed = clock(time / speed);
  const left = (length - time) / speed;
  const whole = count > 0 ? text("chapterOf", { chapter, count, time: about((timeline.total - span.from - time) / speed) }) : "";
  const news = [elapsed, Math.round(left), length, whole, timeline.isExact].join();
  if (last === news) return;
  last = news;
  const line = byId("timeline");
  line.max = length || 1;
  line.value = time;
  line.style.setProperty("--part", `${length > 0 ? (100 * time) / length : 0}%`);
  line.setAttribute("aria-valuetext", text("timelineAt", { time: elapsed, total: clock(length / speed) }));
  byId("elapsed").textContent = elapsed;
  byId("left").textContent = length === 0 ? "" : timeline.isExact ? `−${clock(left)}` : text("left", { time: about(left) });
  byId("chapter").textContent = whole;
}
