import { byId } from "../base/dom.js";
import { show } from "../base/icons.js";
import { clock, label, text } from "../base/words.js";

const audio = new Audio();
let onTime = () => {};
let url = null;
let length = 0;

/**
 * Handles the playback buttons.
 *
 * @param time receives the position, even while the audio is paused
 */
export function preparePlayback(time) {
  onTime = time;
  byId("heard-play").onclick = toggle;
  byId("heard-place").oninput = () => go(Number(byId("heard-place").value), !audio.paused);
  for (const event of ["play", "pause", "ended", "loadedmetadata", "durationchange", "seeked", "error"]) audio.addEventListener(event, render);
  audio.addEventListener("play", follow);
}

/**
 * Replaces the audio. If `sound` is null, removes the audio.
 *
 * @param seconds the duration, for formats whose duration the browser cannot determine
 */
export function load(sound, seconds) {
  audio.pause();
  if (url) URL.revokeObjectURL(url);
  url = sound && URL.createObjectURL(sound);
  length = seconds ?? 0;
  if (url) audio.src = url;
  else audio.removeAttribute("src");
  render();
}

/** Whether there is audio that this browser can play. */
export const canPlay = () => url !== null && !audio.error;

/** Plays from a time. */
export function go(seconds, plays = true) {
  if (!canPlay()) return;
  audio.currentTime = seconds;
  if (plays) audio.play().catch(() => {});
  onTime(seconds, true);
  render();
}

export function toggle() {
  if (!canPlay()) return;
  if (audio.paused) audio.play().catch(() => {});
  else audio.pause();
}

export const pausePlayback = () => audio.pause();
/** Goes back or forward by a number of seconds. */
export const skip = (seconds) => go(Math.max(0, audio.currentTime + seconds), !audio.paused);

function follow() {
  const next = () => {
    if (audio.paused) return;
    render();
    requestAnimationFrame(next);
  };
  next();
}

function render() {
  const total = Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : length;
  byId("heard-playback").hidden = !canPlay() || total < 0.5;
  const button = byId("heard-play");
  show(button.querySelector("svg"), audio.paused ? "play" : "pause");
  label(button, audio.paused ? "playRecording" : "pause");
  const place = byId("heard-place");
  place.max = total || 1;
  place.value = audio.currentTime;
  place.style.setProperty("--part", `${total ? Math.min(100, (audio.currentTime / total) * 100) : 0}%`);
  place.setAttribute("aria-valuetext", text("timelineAt", { time: clock(audio.currentTime), total: clock(total) }));
  byId("heard-time").textContent = `${clock(audio.currentTime)} / ${clock(total)}`;
  onTime(audio.currentTime, !audio.paused || audio.currentTime > 0);
}
