import { alarm, calm } from "../base/announcer.js";
import { explain } from "../base/session.js";
import { whole } from "./speech.js";
import { sample } from "../base/words.js";

const audio = new Audio();
let current = null;
let timer = 0;
let silence = () => {};

/** Sets the function that pauses reading before a preview. */
export const beforePreview = (body) => (silence = body);

/** Plays a preview when the user stops changing settings. */
export function previewSoon(voice) {
  clearTimeout(timer);
  timer = setTimeout(() => voice.state === "ready" && preview(voice), 250);
}

/** Plays a sentence in the voice's language, replacing any current preview. */
export async function preview(voice) {
  stopPreview();
  silence();
  calm();
  const asked = new AbortController();
  current = asked;
  try {
    const sound = await whole(voice, await sample(voice.language), asked.signal);
    if (current !== asked) return;
    URL.revokeObjectURL(audio.src);
    audio.src = URL.createObjectURL(sound);
    document.documentElement.dataset.heard = voice.key;
    await audio.play();
  } catch (error) {
    if (error.name !== "AbortError" && current === asked && !explain(error)) alarm(error.message);
  }
}

export function stopPreview() {
  clearTimeout(timer);
  current?.abort();
  current = null;
  audio.pause();
}
