import { settings } from "../base/settings.js";

/** What of a voice can be tuned, and how far. */
export const factors = [
  { name: "rate", least: 0.5, most: 2.5 },
  { name: "pitch", least: 0.5, most: 2 },
  { name: "volume", least: 0, most: 2 },
];

/** How a voice is spoken with: what was set here, else its profile. */
export function tuning(voice) {
  const own = settings.tuning?.[voice.key] ?? {};
  return Object.fromEntries(factors.map(({ name }) => [name, own[name] ?? voice.profile?.[name] ?? 1]));
}

/** Seconds for a letter, before anything was heard of a voice. */
const usual = 0.066;

/** Seconds for a letter: what was measured of a voice before, or what is usual. */
export const perLetter = (voice) => (settings.pace?.[voice?.key] ?? usual) / (voice ? tuning(voice).rate : 1);

/** Remembers it in this browser; null = it is as the profile says. */
export function remember(voice, values) {
  const { [voice.key]: _, ...others } = settings.tuning ?? {};
  settings.tuning = values ? { ...others, [voice.key]: values } : others;
}
