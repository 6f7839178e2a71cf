import { bytes, duration, percent, text } from "../base/words.js";

/** Returns the state of a voice that cannot speak now, or the progress of its download. */
export function stateText(voice) {
  const progress = voice.progress;
  switch (voice.state) {
    case "notDownloaded":
      return text("notDownloaded", { size: bytes(voice.missing) });
    case "downloading":
      if (!progress) return text("downloading");
      return [
        text("downloaded", { bytes: bytes(progress.bytes), total: bytes(progress.total) }),
        progress.secondsLeft != null && text("timeLeft", { time: duration(progress.secondsLeft) }),
      ]
        .filter(Boolean)
        .join(", ");
    case "failed":
    case "unusable":
      return voice.problem?.message ?? text(voice.state);
    default:
      return text(voice.state);
  }
}

/** Engines with very natural voices. For other engines, the quality is the one stated by the voice's author. */
const fine = ["kokoro"];
const qualities = { x_low: "quick", low: "quick", medium: "natural", high: "fine" };

/** Returns the name of a voice. Voices that come with an engine have only the name of their language. */
export const nameOf = (voice) => (isBasic(voice) ? text("basicVoice") : voice.name);

export const isBasic = ({ engine, size }) => size === 0 && engine === "espeak-ng";

/** Returns the quality of a voice as a word, if it is known. */
export function quality({ engine, quality: made, size }) {
  const kind = fine.includes(engine) ? "fine" : size > 0 && qualities[made];
  return kind ? text(`manner-${kind}`) : "";
}

/** Returns descriptions of a voice, such as "woman" or "small and quick", if they are known. */
export function manner(voice) {
  // A voice without files comes with its engine.
  if (voice.size === 0) return [text("manner-plain")];
  return [voice.gender && text(`gender-${voice.gender}`), quality(voice)].filter(Boolean);
}

/** Returns the state as text, such as "Downloading Tern, 41 %". */
export function progressText(voice) {
  const { bytes: come = 0, total = 0 } = voice.progress ?? {};
  if (voice.state !== "downloading") return stateText(voice);
  return text("state-downloading", { voice: voice.name, share: percent(total > 0 ? come / total : 0) });
}

/** Shows the progress of a download, or hides the bar. */
export function showProgress(bar, voice, isBusy) {
  bar.hidden = !isBusy;
  if (voice.progress?.total > 0) Object.assign(bar, { max: voice.progress.total, value: voice.progress.bytes });
  else bar.removeAttribute("value");
}
