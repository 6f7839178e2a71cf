import { byId, debounced, make } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { explain, session } from "../base/session.js";
import { settings } from "../base/settings.js";
import { bytes, languageName, number, text } from "../base/words.js";
import { preview, previewSoon } from "./preview.js";
import { factors, remember, tuning } from "./tuning.js";
import { manner, stateText } from "./voice-state.js";
import { bring, choose, isBusy, mark, remove, select, setProfile, voices, watch } from "./voices.js";

let shown = null;
let isAsking = false;

/** Shows the details of a voice instead of the list, or the list if the key is null. */
export function showDetails(key) {
  const before = shown;
  shown = key;
  isAsking = false;
  byId("details").hidden = key === null;
  byId("voices-all").hidden = key !== null;
  if (key !== null) {
    render();
    byId("details-back").focus();
    byId("voices").scrollTop = 0;
  } else if (before) {
    const row = [...byId("voices-all").querySelectorAll(".row")].find((each) => each.querySelector("input").value === before);
    row?.querySelector(".details").focus();
  }
}

watch("voice", (voice) => voice.key === shown && refresh(voice));
watch("list", () => shown && voices.get(shown) && refresh(voices.get(shown)));

function render() {
  const voice = voices.get(shown);
  const back = make("button", { type: "button", id: "details-back" }, icon("off"), text("allBack"));
  back.onclick = () => showDetails(null);
  byId("details").replaceChildren(
    make("div", { className: "line" }, back),
    make("h2", { id: "tuning-title", textContent: voice.title, lang: voice.language }),
    make("div", { id: "details-actions", className: "line" }),
    make("h3", { textContent: text("sound") }),
    make("div", { id: "sliders" }, ...factors.map((factor) => slider(voice, factor))),
    make("div", { className: "line" }, action("tuning-reset", "reset", () => reset(voice))),
    make("p", { id: "tuning-note", className: "quiet", attributes: { role: "status" } }),
    make("h3", { textContent: text("aboutVoice") }),
    make("dl", { className: "facts" }, ...facts(voice)),
    make("div", { id: "details-more", className: "line" }),
  );
  refresh(voice);
}

/** Updates the details while they are shown. The focus stays on the equivalent button. */
function refresh(voice) {
  const focused = document.activeElement.id;
  const canSpeak = voice.state === "ready";
  byId("details-actions").replaceChildren(
    ...(canSpeak ? [action("hear", "hear", () => preview(voice), "play"), action("choose", "chooseVoice", () => chooseIt(voice))] : []),
    ...(voice.state === "notDownloaded" ? [action("details-download", "downloadSize", () => bring(voice.key), "download", { size: bytes(voice.missing) })] : []),
    ...(canSpeak ? [] : [make("p", { className: "quiet", textContent: stateText(voice) })]),
  );
  const favorite = action("favorite", "favoriteMark", () => list(voice, { favorite: !voice.favorite }), "star");
  favorite.setAttribute("aria-pressed", voice.favorite);
  const hide = action("hide", voice.hidden ? "unhide" : "hide", () => list(voice, { hidden: !voice.hidden }), "hide");
  const asked = isAsking
    ? [action("remove-really", "removeReally", () => removeIt(voice), "remove"), action("keep", "keep", () => ask(voice, false))]
    : [action("remove", "remove", () => ask(voice, true), "remove")];
  if (isAsking) asked[0].classList.add("warn");
  byId("details-more").replaceChildren(favorite, hide, ...(voice.removable && !isBusy(voice) ? asked : []));
  if (focused && document.activeElement === document.body) (byId(focused) ?? byId("details-back"))?.focus();
}

function action(id, key, body, drawing, values) {
  const button = make("button", { type: "button", id, onclick: () => Promise.resolve(body()).catch(() => {}) });
  if (drawing) button.append(icon(drawing));
  button.append(text(key, values));
  return button;
}

function facts(voice) {
  const all = {
    "fact-language": languageName(voice.language),
    "fact-accent": voice.accent,
    "fact-gender": voice.size > 0 && voice.gender && text(`gender-${voice.gender}`),
    "fact-quality": manner(voice).at(-1),
    "fact-size": voice.size > 0 && bytes(voice.size),
    "fact-license": voice.license,
    "fact-engine": voice.engine,
  };
  return Object.entries(all)
    .filter(([, value]) => value)
    .flatMap(([key, value]) => [make("dt", { textContent: text(key) }), make("dd", { textContent: value })]);
}

function slider(voice, { name, least, most }) {
  const value = make("output", { id: `${name}-value`, textContent: times(tuning(voice)[name]) });
  const input = make("input", { type: "range", id: name, min: least, max: most, step: 0.05, value: tuning(voice)[name] });
  input.addEventListener("input", () => {
    value.textContent = times(Number(input.value));
    set(voice, { ...tuning(voices.get(voice.key) ?? voice), [name]: Number(input.value) });
  });
  return make(
    "div",
    { className: "slider" },
    make("span", {}, make("label", { htmlFor: name, textContent: text(name) }), " ", value),
    input,
  );
}

const times = (value) => `${number(value)}×`;

function reset(voice) {
  for (const { name } of factors) {
    byId(name).value = 1;
    byId(`${name}-value`).textContent = times(1);
  }
  set(voice, { rate: 1, pitch: 1, volume: 1 }, { rate: null, pitch: null, volume: null });
}

function set(voice, values, profile = values) {
  remember(voice, values);
  select(voice.key);
  previewSoon(voices.get(voice.key));
  keep(voice.key, profile);
}

const keep = debounced(600, async (key, values) => {
  const voice = voices.get(key);
  const note = (words) => byId("tuning-note") && (byId("tuning-note").textContent = words);
  if (!session.trusted) return note(text("keptHere"));
  try {
    // Settings without a slider stay unchanged.
    const own = JSON.stringify(settings.tuning?.[key]);
    await setProfile(key, { pause: voice.profile?.pause ?? null, ...values });
    // If a slider has been moved in the meantime, its new value is saved next.
    if (JSON.stringify(settings.tuning?.[key]) === own) remember(voice, null);
    note(text("kept"));
  } catch (error) {
    if (!explain(error)) note(error.message);
  }
});

async function chooseIt(voice) {
  await choose(voice.key);
  byId("tuning-note").textContent = text("choseVoice", { voice: voice.title });
}

async function list(voice, marks) {
  await mark(voice.key, marks);
  if (marks.hidden) byId("tuning-note").textContent = text("isHidden");
}

function ask(voice, asks) {
  isAsking = asks;
  refresh(voice);
  byId(asks ? "remove-really" : "remove")?.focus();
}

async function removeIt(voice) {
  isAsking = false;
  await remove(voice.key);
  showDetails(null);
}
