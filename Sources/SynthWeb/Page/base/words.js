import { byId, make } from "./dom.js";
import { settings } from "./settings.js";

let strings = {};
let samples = null;

const read = async (path) => (await fetch(path)).json();

export let language = "en";

/** Loads the texts in the selected language, or else in the browser's language. */
export async function loadTexts() {
  const query = settings.pageLanguage ? `?lang=${encodeURIComponent(settings.pageLanguage)}` : "";
  const texts = await read(`page/text.json${query}`);
  strings = texts.strings;
  language = texts.lang;
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) element.append(text(element.dataset.text));
  for (const element of document.querySelectorAll("[data-label]")) label(element, element.dataset.label);
  for (const element of document.querySelectorAll("[data-hint]")) element.placeholder = text(element.dataset.hint);
  const menu = byId("page-language");
  menu.replaceChildren(
    ...Object.entries(texts.languages).map(([tag, name]) =>
      make("option", { value: tag, textContent: name, lang: tag, selected: tag === language }),
    ),
  );
  menu.onchange = () => {
    settings.pageLanguage = menu.value;
    location.reload();
  };
}

/** Adds the texts for a part of the page that is loaded on demand. */
export const addTexts = (more) => Object.assign(strings, more);

/** Returns a localized string. `{name}` in the string is replaced with `values.name`. */
export function text(key, values = {}) {
  const found = strings[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Sets the screen reader label and the tooltip of an element without text. */
export function label(element, key) {
  element.setAttribute("aria-label", text(key));
  element.title = text(key);
}

export async function sample(voiceLanguage) {
  // If the service is not running, the preview reports the error.
  samples ??= await read("page/samples.json").catch(() => null);
  return samples?.[voiceLanguage.toLowerCase().split("-")[0]] ?? "1, 2, 3, 4, 5.";
}

/** Returns a language's name in the language of the page. */
export function languageName(tag) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Formats a size, such as "63.5 MB". */
export function bytes(count) {
  const [unit, size] = count >= 1e9 ? ["gigabyte", 1e9] : count >= 1e6 ? ["megabyte", 1e6] : ["kilobyte", 1e3];
  const digits = unit === "kilobyte" ? 0 : 1;
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: digits }).format(count / size);
}

/** Formats a duration, such as "40 sec" or "2 min". */
export function duration(seconds) {
  const [unit, size] = seconds >= 90 ? ["minute", 60] : ["second", 1];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 0 }).format(
    Math.max(1, Math.round(seconds / size)),
  );
}

/** Formats an estimated duration, such as "about 4 h 30 min". */
export function about(seconds) {
  const exact = seconds / 60;
  const minutes = exact > 60 ? 5 * Math.round(exact / 5) : Math.round(exact);
  if (minutes < 1) return text("aboutSoon");
  return text(minutes < 60 ? "aboutMinutes" : minutes % 60 === 0 ? "aboutWhole" : "aboutHours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** Formats a time, such as "1:02:03" or "2:05". */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export const percent = (share) => new Intl.NumberFormat(language, { style: "percent" }).format(share);

export const number = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
