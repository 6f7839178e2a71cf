import { byId, debounced } from "../base/dom.js";
import { icon, show } from "../base/icons.js";
import { clock, label, number, text } from "../base/words.js";
import { column } from "../reading/stage.js";
import { desk, watchDesk } from "../texts/desk.js";
import { progressText } from "../voices/voice-state.js";
import { goTo, readFrom, showPlace, skip, step } from "./moving.js";
import { now, player, setTempo, state, timeline, toggle, watchReader, work } from "./reader.js";
import * as sleep from "./sleep.js";

let drawing = null;
/** Where the reader holds the line of time; null = it moves by itself. */
let held = null;

/** The player: its buttons, the line of time, and the state in words. */
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
    const heading = desk.document.headingAt(desk.place);
    if (sleep.endsWithPart && heading !== part && work) fire();
    part = heading;
  });
  watchReader(render);
  watchDesk("place", render);
  watchDesk("text", () => requestAnimationFrame(showPlace));
  new ResizeObserver(() => {
    document.documentElement.style.setProperty("--player", `${byId("player").offsetHeight}px`);
  }).observe(byId("player"));
  render();
  requestAnimationFrame(showPlace);
}

function showTimeline() {
  const line = byId("timeline");
  line.addEventListener("input", () => {
    held = Number(line.value);
    renderTime();
  });
  line.addEventListener("change", () => {
    const time = Number(line.value);
    held = null;
    goTo(timeline.placeAt(time));
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
  const shown = () => {
    byId("tempo-value").textContent = number(player.speed);
    byId("tempo-shown").textContent = `${number(player.speed)}×`;
    byId("open-pace").setAttribute("aria-label", `${text("tempo")} ${number(player.speed)}`);
  };
  tempo.addEventListener("input", () => {
    setTempo(Number(tempo.value));
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

/** What goes on, for the eye: those who listen hear it. */
function words(name) {
  const about = timeline.total / player.speed / 60;
  switch (name) {
    case "idle":
      if (desk.document.isEmpty) return text("state-empty");
      return about >= 1 ? text("state-about", { minutes: number(Math.round(about)) }) : text("state-idle");
    case "downloading":
      return progressText(work.news);
    case "failed":
      return text("state-failed");
    default: {
      const minutes = sleep.minutesLeft();
      return name === "speaking" && minutes ? text("state-sleep", { minutes }) : text(`state-${name}`);
    }
  }
}

let last = "";

function renderTime() {
  const total = timeline.total;
  const time = Math.min(held ?? now(), total);
  const elapsed = clock(time / player.speed);
  const left = `${timeline.isExact ? "−" : "≈ −"}${clock((total - time) / player.speed)}`;
  if (last === elapsed + left + total) return;
  last = elapsed + left + total;
  const line = byId("timeline");
  line.max = total || 1;
  line.value = time;
  line.style.setProperty("--part", `${total > 0 ? (100 * time) / total : 0}%`);
  line.setAttribute("aria-valuetext", text("timelineAt", { time: elapsed, total: clock(total / player.speed) }));
  byId("elapsed").textContent = elapsed;
  byId("left").textContent = left;
}
