import { settings } from "../base/settings.js";

/** The settings of a voice and their ranges. */
export const factors = [
  { name: "rate", least: 0.5, most: 2.5 },
  { name: "pitch", least: 0.5, most: 2 },
  { name: "volume", least: 0, most: 2 },
];

/** Returns the settings in this browser, or else in the profile. */
export function tuning(voice) {
  const own = settings.tuning?.[voice.key] ?? {};
  return Object.fromEntries(factors.map(({ name }) => [name, own[name] ?? voice.profile?.[name] ?? 1]));
}

/** The default for voices that have not been measured. */
const usual = 0.066;

/** The number of seconds per letter, measured or estimated. */
export const perLetter = (voice) => (settings.pace?.[voice?.key] ?? usual) / (voice ? tuning(voice).rate : 1);

/** Stores the settings in this browser. null restores the profile's settings. */
export function remember(voice, values) {
  const { [voice.key]: _, ...others } = settings.tuning ?? {};
  settings.tuning = values ? { ...others, [voice.key]: values } : others;
}
