import { byId, debounced, make } from "../base/dom.js";
import { onOpen } from "../base/sheet.js";
import { languageName, text } from "../base/words.js";
import { VoiceRow } from "./row.js";
import { selected, starters, voices, watch } from "./voices.js";

/** More of one voice, loaded when somebody asks for it; null = the list again. */
async function showDetails(key) {
  if (key !== null || !byId("details").hidden) (await import("./details.js")).showDetails(key);
}

/** Rows on the page by the voice's key: a voice may stand in several lists. */
const rows = new Map();

/** More rows than this are not shown at once. */
const most = 100;

/** The sheet in which a voice is chosen: yours, those to begin with, then all by language. */
export function showChooser() {
  watch("list", render);
  watch("voice", (voice) => rows.get(voice.key)?.forEach((row) => row.update(voice)));
  watch("selection", () => rows.forEach((list) => list.forEach((row) => row.mark())));
  byId("filter").addEventListener("input", debounced(150, renderFound));
  // Only what is looked at is put into a new order.
  onOpen("voices", () => {
    showDetails(null);
    render();
    requestAnimationFrame(() => byId("voices").querySelector(".close").focus());
  });
}

function render() {
  const restored = keepPlace();
  rows.clear();
  const all = [...voices.values()].filter((voice) => !voice.hidden);
  const current = selected();
  const own = all
    .filter((voice) => voice.favourite || (voice.state === "ready" && voice.size > 0) || voice === current)
    .sort((one, other) => rank(other, current) - rank(one, current));
  const suggested = starters(all).slice(0, 5).filter((voice) => !own.includes(voice));
  byId("suggested").replaceChildren(
    ...section(text("yours"), own, "yours"),
    ...section(text("suggested"), suggested, "suggested"),
  );
  byId("all-title").textContent = text("allVoices", { count: all.length });
  byId("all-groups").replaceChildren(...groups(all), ...hiddenGroup());
  renderFound();
  restored();
}

/** The one that speaks is on top, then those that could. */
const rank = (voice, current) => (voice === current ? 4 : 0) + (voice.favourite ? 2 : 0) + (voice.state === "ready" ? 1 : 0);

/** Gives what opens the same languages again, and brings the focus back to where it was. */
function keepPlace() {
  const open = [...document.querySelectorAll("#all-groups details[open]")].map((group) => group.dataset.language);
  const focused = document.activeElement;
  const holder = ["found", "suggested", "all-groups"].map(byId).find((list) => list.contains(focused));
  const key = focused.closest(".row")?.querySelector("input").value;
  const number = [...(focused.closest(".actions")?.children ?? [])].indexOf(focused);
  const language = focused.closest("details")?.dataset.language;
  return () => {
    for (const group of byId("all-groups").children) if (open.includes(group.dataset.language)) group.fill();
    if (!holder || document.activeElement !== document.body) return;
    const row = [...byId("voices-all").querySelectorAll(".row")].find((each) => each.querySelector("input").value === key);
    const again = row
      ? (row.querySelectorAll(".actions button:not([hidden])")[number] ?? row.querySelector("input"))
      : holder.querySelector(`details[data-language="${CSS.escape(language ?? "")}"] summary`);
    (again ?? byId("filter")).focus({ preventScroll: true });
  };
}

/** Those that could speak now come first; the rest of their order stays. */
const readyFirst = (list) =>
  [...list].sort((one, other) => Number(other.state === "ready") - Number(one.state === "ready"));

function section(title, list, group) {
  return list.length === 0 ? [] : [make("h3", { textContent: title }), rowList(list, group, title)];
}

/** A language's voices are made when somebody looks at them. */
function groups(all) {
  const byLanguage = new Map();
  for (const voice of all) {
    const language = voice.language.split("-")[0].toLowerCase();
    if (!byLanguage.has(language)) byLanguage.set(language, []);
    byLanguage.get(language).push(voice);
  }
  return [...byLanguage]
    // The browser may have no name for a language; the only voice of it mostly has.
    .map(([language, list]) => ({ name: languageName(language) === language ? list[0].name : languageName(language), language, list }))
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ name, language, list }) => groupOf(name, language, list));
}

function hiddenGroup() {
  const list = [...voices.values()].filter((voice) => voice.hidden);
  return list.length ? [groupOf(text("hiddenVoices"), "hidden", list)] : [];
}

function groupOf(name, language, list) {
  const group = make("details", {}, make("summary", {}, name, make("span", { className: "count", textContent: list.length })));
  group.dataset.language = language;
  group.fill = () => {
    group.open = true;
    if (group.children.length > 1) return;
    group.append(rowList(readyFirst(list.map((voice) => voices.get(voice.key) ?? voice)), `all-${language}`, name));
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
    .concat(voice.gender ? text(`gender-${voice.gender}`) : "")
    .join(" ")
    .toLowerCase();
  return wanted.every((word) => about.includes(word));
}

function rowList(list, group, title) {
  return make(
    "ul",
    { className: "rows", attributes: { role: "list", "aria-label": title } },
    ...list.map((voice) => {
      const row = new VoiceRow(voice, group, showDetails);
      rows.set(voice.key, [...(rows.get(voice.key) ?? []), row]);
      return row.element;
    }),
  );
}
