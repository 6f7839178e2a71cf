import { text } from "../base/words.js";
import { desk } from "../texts/desk.js";
import { readFrom, skip, step } from "./moving.js";
import { now, player, state, timeline, toggle, watchReader, work } from "./reader.js";

/** Shows the current text in the system's media controls and handles the media keys on keyboards, headphones and lock screens. */
export function showMedia() {
  const media = navigator.mediaSession;
  if (!media) return;
  const actions = {
    play: () => player.isPlaying || toggle(),
    pause: () => player.isPlaying && toggle(),
    stop: () => player.isPlaying && toggle(),
    previoustrack: () => step(-1),
    nexttrack: () => step(1),
    seekbackward: ({ seekOffset }) => skip(-(seekOffset ?? 10)),
    seekforward: ({ seekOffset }) => skip(seekOffset ?? 10),
    seekto: ({ seekTime }) => readFrom(timeline.placeAt(seekTime)),
  };
  for (const [action, body] of Object.entries(actions)) {
    try {
      media.setActionHandler(action, body);
    } catch {
      // The browser does not support this key.
    }
  }
  watchReader(() => tell(media));
}

function tell(media) {
  if (!work) {
    media.playbackState = "none";
    media.metadata = null;
    return;
  }
  media.playbackState = ["paused", "failed"].includes(state()) ? "paused" : "playing";
  if (media.metadata?.title !== desk.document.title || media.metadata?.artist !== work.voice.title) {
    media.metadata = new MediaMetadata({
      title: desk.document.title || text("readingLabel"),
      artist: work.voice.title,
      album: "synthhost",
      artwork: [{ src: "page/look/icon.svg", sizes: "any", type: "image/svg+xml" }],
    });
  }
  const duration = timeline.total;
  if (duration > 0) media.setPositionState?.({ duration, position: Math.min(now(), duration), playbackRate: player.speed });
}
