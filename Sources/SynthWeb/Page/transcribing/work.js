/**
 * The state of the screen. `phase` is "looking" (for a recognizer), "idle", "opening" (the microphone), "recording", "processing" (the
 * recording) or "sending" (a file).
 */
export const work = {
  phase: "looking",
  /** The last error, in the format of `explained`. */
  problem: null,
  /** Retries the last operation, or null if a retry cannot succeed. */
  retry: null,
  isLoading: false,
  /** The duration of the recording in seconds, its level from 0 to 1, and whether it has been too quiet for a while. */
  seconds: 0,
  level: 0,
  isQuiet: false,
  /** The fractions of a file that have been sent and transcribed. The latter is null if it is unknown. */
  sent: 0,
  share: null,
  file: "",
};

const watchers = [];

/** Calls `body` when the state changes. */
export const watchWork = (body) => watchers.push(body);

/** Changes the state and calls the watchers. */
export function set(changes) {
  Object.assign(work, changes);
  watchers.forEach((body) => body());
}

/** Whether a recording or transcription is in progress. */
export const isBusy = () => ["opening", "recording", "processing", "sending"].includes(work.phase);
