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

/** Remembers it in this browser; null = it is as the profile says. */
export function remember(voice, values) {
  const { [voice.key]: _, ...others } = settings.tuning ?? {};
  settings.tuning = values ? { ...others, [voice.key]: values } : others;
}
