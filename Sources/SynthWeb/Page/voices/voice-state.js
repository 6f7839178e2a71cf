import { bytes, duration, percent, text } from "../base/words.js";

/** How a voice is that cannot speak now: whether it is here, or how far its download is. */
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

/** Engines whose voices sound very natural, and what the makers of the others say of theirs. */
const fine = ["kokoro"];
const qualities = { x_low: "quick", low: "quick", medium: "natural", high: "fine" };

/** What a voice is called: those that come with an engine have only a language for a name. */
export const nameOf = (voice) => (isBasic(voice) ? text("basicVoice") : voice.name);

export const isBasic = ({ engine, size }) => size === 0 && engine === "espeak-ng";

/** In a word how well it sounds, if that is known. */
export function quality({ engine, quality: made, size }) {
  const kind = fine.includes(engine) ? "fine" : size > 0 && qualities[made];
  return kind ? text(`manner-${kind}`) : "";
}

/** What a voice is like, as far as it is known: "woman", "small and quick". */
export function manner(voice) {
  // An engine gives its own voices one as it comes.
  if (voice.size === 0) return [text("manner-plain")];
  return [voice.gender && text(`gender-${voice.gender}`), quality(voice)].filter(Boolean);
}

/** The same in a few words: "Downloading Tern, 41 %". */
export function progressText(voice) {
  const { bytes: come = 0, total = 0 } = voice.progress ?? {};
  if (voice.state !== "downloading") return stateText(voice);
  return text("state-downloading", { voice: voice.name, share: percent(total > 0 ? come / total : 0) });
}

/** Shows in a bar how far a download is; hides it if there is none. */
export function showProgress(bar, voice, isBusy) {
  bar.hidden = !isBusy;
  if (voice.progress?.total > 0) Object.assign(bar, { max: voice.progress.total, value: voice.progress.bytes });
  else bar.removeAttribute("value");
}
