import { announce } from "../base/announcer.js";
import { choose, showChoices } from "../base/choices.js";
import { byId } from "../base/dom.js";
import { text } from "../base/words.js";

/** The times in minutes. "part" means until the end of the current part. */
const times = ["off", "5", "15", "30", "60", "part"];
let timer = 0;
let end = null;

/** Whether reading pauses after the current part. */
export let endsWithPart = false;

/**
 * Shows the sleep timer.
 *
 * @param pause pauses reading
 */
export function showSleep(pause) {
  const names = times.map((time) => [time, text(time === "off" || time === "part" ? `sleep-${time}` : "sleep-minutes", { minutes: time })]);
  const rest = () => {
    set("off");
    choose(byId("sleep"), "off");
  };
  const fire = () => {
    pause();
    rest();
    announce(text("slept"));
  };
  showChoices(byId("sleep"), names, "off", (time) => set(time, fire));
  return { rest, fire };
}

function set(time, fire) {
  clearTimeout(timer);
  end = null;
  endsWithPart = time === "part";
  const minutes = Number(time);
  if (minutes > 0) {
    end = Date.now() + minutes * 60_000;
    timer = setTimeout(fire, minutes * 60_000);
  }
  byId("open-sleep").classList.toggle("on", time !== "off");
  byId("sleep-shown").textContent = minutes > 0 ? text("sleep-minutes", { minutes }) : text("timer");
}

/** The minutes until reading pauses, or null if there is no timer. */
export const minutesLeft = () => (end === null ? null : Math.max(1, Math.ceil((end - Date.now()) / 60_000)));
