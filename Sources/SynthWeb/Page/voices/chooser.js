import { byId, debounced, make } from "../base/dom.js";
import { language, languageName, text } from "../base/words.js";
import { preview } from "./preview.js";
import { VoiceRow } from "./row.js";
import { isBasic, manner, nameOf, quality } from "./voice-state.js";
import { basics, selected, starters, usual, voices, watch } from "./voices.js";

/** Shows the details of a voice, loading the code on demand, or the list if the key is null. */
async function showDetails(key) {
  if (key !== null || !byId("details").hidden) (await import("./details.js")).showDetails(key);
}

/** The rows by voice key. A voice may be in several lists. */
const rows = new Map();

const most = 100;

let isPrepared = false;

/** Prepares the sheet for choosing a voice: the user's voices, recommended voices, then all voices by language. Called before it opens. */
export function openChooser() {
  if (!isPrepared) prepare();
  isPrepared = true;
  // Sort the lists only when the sheet opens, so that rows do not move.
  showDetails(null);
  render();
}

function prepare() {
  // Focus this button, because the search field would open a phone's keyboard.
  byId("voices").querySelector(".close").autofocus = true;
  watch("list", render);
  watch("voice", (voice) => {
    rows.get(voice.key)?.forEach((row) => row.update(voice));
    // A downloaded voice moves to "Yours".
    if (isHere(voice) && !own.some(({ key }) => key === voice.key)) render();
  });
  watch("selection", () => rows.forEach((list) => list.forEach((row) => row.mark())));
  // Preview a voice that was downloaded on this page, unless the page is speaking.
  watch("arrival", (voice) => byId("voices").open && !isSounding() && preview(voice));
  byId("filter").addEventListener("input", debounced(150, renderFound));
}

let own = [];

const isHere = (voice) => voice.state === "ready" && voice.size > 0;

const isSounding = () => ["loading", "waiting", "speaking"].includes(document.documentElement.dataset.state);

function render() {
  const restored = keepPlace();
  rows.clear();
  const all = [...voices.values()].filter((voice) => !voice.hidden);
  const current = selected();
  const basic = usual()?.size === 0 ? usual() : basics(all)[0];
  own = all
    .filter((voice) => voice.favorite || isHere(voice) || voice === current || voice === basic)
    .sort((one, other) => rank(other, current) - rank(one, current));
  const suggested = starters(all).slice(0, 5).filter((voice) => !own.includes(voice));
  byId("suggested").replaceChildren(
    ...section(text("yours"), own, "yours"),
    ...section(text("suggested"), suggested, "suggested"),
  );
  byId("all-groups").replaceChildren(...groups(all), ...hiddenGroup());
  renderFound();
  restored();
}

/** Ranks the selected voice first, then favorites, then voices that can speak. */
const rank = (voice, current) => (voice === current ? 4 : 0) + (voice.favorite ? 2 : 0) + (voice.state === "ready" ? 1 : 0);

/** Returns a function that reopens the open groups and restores the focus. */
function keepPlace() {
  const open = [...document.querySelectorAll("#all-groups details[open]")].map((group) => group.dataset.language);
  const focused = document.activeElement;
  const holder = ["found", "suggested", "all-groups"].map(byId).find((list) => list.contains(focused));
  const key = focused.closest(".row")?.querySelector("input").value;
  const number = [...(focused.closest(".actions")?.children ?? [])].indexOf(focused);
  const language = focused.closest("details")?.dataset.language;
  return () => {
    for (const name of open) byId("all-groups").querySelector(`details[data-language="${CSS.escape(name)}"]`)?.fill();
    if (!holder || document.activeElement !== document.body) return;
    const row = [...byId("voices-all").querySelectorAll(".row")].find((each) => each.querySelector("input").value === key);
    const again = row
      ? (row.querySelectorAll(".actions button:not([hidden])")[number] ?? row.querySelector("input"))
      : holder.querySelector(`details[data-language="${CSS.escape(language ?? "")}"] summary`);
    (again ?? byId("filter")).focus({ preventScroll: true });
  };
}

/** Moves voices that can speak to the front but otherwise keeps the order. */
const readyFirst = (list) =>
  [...list].sort((one, other) => Number(other.state === "ready") - Number(one.state === "ready"));

function section(title, list, group) {
  return list.length === 0 ? [] : [make("h3", { textContent: title }), rowList(list, group, title)];
}

/**
 * Returns the groups of voices by language. The groups for the user's languages and the text's language are open. A group's rows are
 * created when it is opened.
 */
function groups(all) {
  const byLanguage = new Map();
  for (const voice of all) {
    const language = languageOf(voice.language);
    if (!byLanguage.has(language)) byLanguage.set(language, []);
    byLanguage.get(language).push(voice);
  }
  const near = [byId("reading").lang, language, ...navigator.languages].filter(Boolean).map(languageOf);
  const found = [...byLanguage]
    // If the browser does not know the language, use the first voice's name.
    .map(([language, list]) => ({ name: languageName(language) === language ? list[0].name : languageName(language), language, list }))
    .sort((one, other) => one.name.localeCompare(other.name));
  const made = ({ name, language, list }) => groupOf(isTwin(name) ? `${name} (${regionOf(list[0])})` : name, language, list);
  const isTwin = (name) => found.filter((each) => each.name === name).length > 1;
  const others = found.filter((each) => !near.includes(each.language));
  const rest = fold("rest", text("otherLanguages", { count: others.length }), () => others.map(made));
  return [...found.filter((each) => near.includes(each.language)).map(made), ...(others.length ? [rest] : [])];
}

/** Returns the language of a tag. If a language has two codes, returns the common one. */
function languageOf(tag) {
  try {
    return new Intl.Locale(Intl.getCanonicalLocales(tag)[0]).language;
  } catch {
    return tag.split("-")[0].toLowerCase();
  }
}

/** Returns the region of a language, its accent, or else its tag. */
function regionOf({ language: tag, accent }) {
  const region = tag.split("-").find((part) => /^[A-Z]{2}$/.test(part));
  return accent ?? (region ? new Intl.DisplayNames([language], { type: "region" }).of(region) : tag);
}

function hiddenGroup() {
  const list = [...voices.values()].filter((voice) => voice.hidden);
  return list.length ? [groupOf(text("hiddenVoices"), "hidden", list)] : [];
}

const groupOf = (name, language, list) =>
  fold(language, name, () => [rowList(readyFirst(list.map((voice) => voices.get(voice.key) ?? voice)), `all-${language}`, name)], text(list.length === 1 ? "oneVoice" : "voiceCount", { count: list.length }));

/** Creates a closed group, whose content is created when the user opens it. */
function fold(id, name, content, count = "") {
  const group = make("details", {}, make("summary", {}, name, make("span", { className: "count", textContent: count })));
  group.dataset.language = id;
  group.fill = () => {
    group.open = true;
    if (group.children.length === 1) group.append(...content());
  };
  group.addEventListener("toggle", () => group.open && group.fill());
  return group;
}

function renderFound() {
  const wanted = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFiltered = wanted.length > 0;
  byId("suggested").hidden = isFiltered;
  byId("all").hidden = isFiltered;
  for (const [key, list] of rows) {
    rows.set(
      key,
      list.filter((row) => !byId("found").contains(row.element)),
    );
  }
  const found = isFiltered ? readyFirst([...voices.values()].filter((voice) => matches(voice, wanted))) : [];
  byId("found").replaceChildren(...(found.length ? [rowList(found.slice(0, most), "found", text("found"))] : []));
  byId("filter-count").textContent = isFiltered
    ? text(found.length === 0 ? "foundNone" : found.length > most ? "foundMany" : "foundCount", {
        count: found.length,
        most,
      })
    : "";
}

function matches(voice, wanted) {
  const about = [voice.title, voice.key, voice.language, languageName(voice.language), voice.accent, voice.gender]
    .concat(manner(voice))
    .join(" ")
    .toLowerCase();
  return wanted.every((word) => about.includes(word));
}

/**
 * Returns a voice's name in a list. If several voices have the same name, adds the quality if it differs, or else returns the complete
 * name.
 */
function nameIn(list, voice) {
  const name = nameOf(voice);
  const twins = list.filter((each) => nameOf(each) === name);
  if (twins.length === 1 || isBasic(voice)) return name;
  const kinds = new Set(twins.map(quality));
  return kinds.size === twins.length && !kinds.has("") ? `${name} · ${quality(voice)}` : voice.title;
}

function rowList(list, group, title) {
  return make(
    "ul",
    { className: "rows", attributes: { role: "list", "aria-label": title } },
    ...list.map((voice) => {
      const row = new VoiceRow(voice, group, showDetails, nameIn(list, voice));
      rows.set(voice.key, [...(rows.get(voice.key) ?? []), row]);
      return row.element;
    }),
  );
}
