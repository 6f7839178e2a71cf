import { byId, make } from "../base/dom.js";
import { settings } from "../base/settings.js";
import { bytes, language, languageName, text } from "../base/words.js";
import { all, current, isReady, look } from "./recognizers.js";
import { set } from "./work.js";

/** Prepares the sheet for the recognizer, language and keywords. Called before it opens. */
export function openOptions() {
  const words = byId("own-words");
  words.value = settings.ownWords ?? "";
  words.oninput = () => (settings.ownWords = words.value);
  const spoken = byId("spoken-language");
  spoken.onchange = async () => {
    settings.spoken = spoken.value;
    // A different model may be recommended for this language.
    await look().catch(() => {});
    render();
  };
  const menu = byId("recognizer");
  menu.onchange = () => {
    settings.recognizer = menu.value;
    set({});
    render();
  };
  render();
}

function render() {
  const entry = current();
  const tags = new Set([...all().flatMap(({ languages }) => languages.map((tag) => tag.split("-")[0])), ...(settings.spoken ? [settings.spoken] : [])]);
  const names = [...tags].map((tag) => [tag, languageName(tag)]).sort((one, other) => one[1].localeCompare(other[1], language));
  byId("spoken-language").replaceChildren(
    make("option", { value: "", textContent: text("findOut"), selected: !settings.spoken }),
    ...names.map(([value, textContent]) => make("option", { value, textContent, selected: value === settings.spoken })),
  );
  const fitting = all().filter(({ key, languages }) => key === entry?.key || !settings.spoken || languages.length === 0 || languages.some((tag) => tag.split("-")[0] === settings.spoken));
  byId("recognizer").replaceChildren(...fitting.map((each) =>
    make("option", { value: each.key, textContent: isReady(each) ? each.name : text("toDownload", { name: each.name, size: bytes(each.missing) }), selected: each.key === entry?.key })));
  byId("recognizer-note").textContent = entry ? knownLanguages(entry) : "";
}

/** Returns the name of a model's language, or the number of its languages. */
export function knownLanguages({ languages }) {
  const tags = [...new Set(languages.map((tag) => tag.split("-")[0]))];
  if (tags.length === 0) return "";
  return tags.length === 1 ? text("knowsOne", { language: languageName(tags[0]) }) : text("knowsMany", { count: tags.length });
}
