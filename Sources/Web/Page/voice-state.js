import { bytes, duration, text } from "./text.js";

/** How a voice is: whether it is here, or how far its download is. */
export function stateText(voice) {
  const progress = voice.progress;
  switch (voice.state) {
    case "ready":
      return voice.size > 0 ? text("ready") : text("builtIn");
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
