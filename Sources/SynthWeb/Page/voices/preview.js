import { alarm, calm } from "../base/announcer.js";
import { explain } from "../base/session.js";
import { whole } from "./speech.js";
import { sample } from "../base/words.js";

const audio = new Audio();
let current = null;
let timer = 0;
let silence = () => {};

/** Says who is to be silent while a voice is heard. */
export const beforePreview = (body) => (silence = body);

/** Lets it be heard once nothing more is changed for a moment. */
export function previewSoon(voice) {
  clearTimeout(timer);
  timer = setTimeout(() => voice.state === "ready" && preview(voice), 250);
}

/** Lets a voice be heard with a sentence of its language. The newest wins. */
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
