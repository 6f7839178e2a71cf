import { ServerError } from "../base/api.js";
import { session } from "../base/session.js";
import { text } from "../base/words.js";

/** An error that prevents transcription, with a name for which the page has a message. */
export class Trouble extends Error {
  constructor(name, message = "") {
    super(message);
    this.name = name;
  }
}

/** Maps the service's error codes to error names. */
const names = {
  no_recognizer: "noRecognizer", model_not_downloaded: "noModel", unknown_model: "noModel", unsupported_language: "otherLanguage",
  recognizer_unusable: "recognizerFailed", recognizer_failed: "recognizerFailed",
  busy: "overloaded", overloaded: "overloaded", ending: "gone", session_expired: "expired", session_idle: "expired",
  invalid_sound: "unreadable", sound_not_read: "unreadable", sound_too_long: "tooLong", stopped: "gone", disk_full: "overloaded",
};

/** Returns the error for a code from the service. */
export const troubleOf = ({ code, message }, status = 0) => new Trouble(names[code] ?? (status === 413 ? "tooLarge" : [429, 503].includes(status) ? "overloaded" : "other"), message);

/** The errors after which the user can retry. */
const passing = ["noModel", "noRecognizer", "gone", "micBusy", "noMicrophone", "denied", "overloaded", "recognizerFailed", "other", "broken"];

/** Returns an error's message and remedy for the user. */
export function explained(error) {
  const trouble = error instanceof ServerError ? troubleOf(error, error.status) : error instanceof Trouble ? error : new Trouble("other", error.message);
  const { protocol, hostname, port, pathname } = location;
  const local = `${protocol}//localhost${port ? `:${port}` : ""}${pathname}`;
  const values = { message: trouble.message, host: hostname, local, ...trouble.values };
  return {
    name: trouble.name,
    title: text(`trouble-${trouble.name}`, values),
    // If the service sends no message, the parentheses are empty, so remove them.
    remedy: text(`remedy-${trouble.name}`, values).replace(/ \(\)$/, ""),
    mayWork: passing.includes(trouble.name),
  };
}

/** Returns why a WebSocket could not be opened. Requests the permissions for this, because scripts cannot read the response status. */
export async function whyRefused() {
  try {
    const answer = await fetch("api/session");
    if (!answer.ok) return new Trouble("gone");
    const { trusted, open } = await answer.json();
    if (!trusted && !open) return new ServerError(401, { code: "token_needed" });
    return new Trouble(session.isShut ? "gone" : "overloaded");
  } catch {
    return new Trouble("gone");
  }
}
