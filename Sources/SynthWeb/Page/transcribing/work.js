/**
 * What the screen does now. `phase` is one of
 * "looking" (for a recognizer), "idle", "opening" (the microphone), "recording", "processing" (what was recorded) and "sending" (a file).
 */
export const work = {
  phase: "looking",
  /** What went wrong last, as `explained` gives it. */
  problem: null,
  /** Does again what went wrong; null = that is of no use. */
  retry: null,
  /** Whether a model is being loaded. */
  isLoading: false,
  /** Seconds that were recorded, how loud it is (0 to 1), and whether it is too quiet for a while. */
  seconds: 0,
  level: 0,
  isQuiet: false,
  /** How much of a file was sent, and transcribed; null = nobody knows. */
  sent: 0,
  share: null,
  /** The name of the file. */
  file: "",
};

const watchers = [];

/** Calls `body` when it has changed. */
export const watchWork = (body) => watchers.push(body);

/** Changes it, and tells. */
export function set(changes) {
  Object.assign(work, changes);
  watchers.forEach((body) => body());
}

/** Whether a sound is being taken or transcribed. */
export const isBusy = () => ["opening", "recording", "processing", "sending"].includes(work.phase);
