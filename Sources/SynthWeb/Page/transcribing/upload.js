import { ServerError } from "../base/api.js";
import { Trouble, troubleOf } from "./trouble.js";

/**
 * Transcribes a file. Uses `XMLHttpRequest`, which reports the upload progress.
 *
 * @param order optionally `model`, `language` and `keywords`
 * @param on `sent(share)`, `part(part)` for each transcribed part, and `tail(text)` for preliminary text or text without times
 * @param signal cancels the request
 */
export function transcribeFile(file, { model, language, keywords }, on, signal) {
  const form = new FormData();
  if (model) form.append("model", model);
  if (language) form.append("language", language);
  for (const word of keywords) form.append("keywords[]", word);
  form.append("response_format", "verbose_json");
  form.append("timestamp_granularities[]", "word");
  form.append("timestamp_granularities[]", "segment");
  form.append("stream", "true");
  // The file name is not sent to the service.
  form.append("file", file, "recording");
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stream = new Stream(on);
    const guarded = (body) => () => {
      try {
        body();
      } catch (error) {
        request.abort();
        reject(error);
      }
    };
    request.upload.onprogress = ({ loaded, total }) => on.sent(total > 0 ? loaded / total : 0);
    request.upload.onload = () => on.sent(1);
    request.onprogress = guarded(() => request.status === 200 && stream.take(request.responseText));
    request.onload = guarded(() => {
      if (request.status !== 200) throw refusal(request);
      stream.take(request.responseText);
      if (!stream.isWhole) throw new Trouble("broken");
      resolve(stream.about);
    });
    request.onerror = () => reject(new Trouble(stream.hasBegun ? "broken" : "gone"));
    signal.addEventListener("abort", () => {
      request.abort();
      reject(signal.reason);
    });
    request.open("POST", "v1/audio/transcriptions");
    request.send(form);
  });
}

function refusal({ status, responseText }) {
  try {
    const { error } = JSON.parse(responseText);
    return status === 401 ? new ServerError(status, error) : troubleOf(error, status);
  } catch {
    // The response is from a proxy, because the service is not running or the proxy has its own size limit.
    return new Trouble(status === 413 ? "tooLarge" : "gone");
  }
}

/** Parses the event stream of a response. Each call of `take` gets all of the text received so far. */
class Stream {
  constructor(on) {
    this.on = on;
    this.taken = 0;
    this.isWhole = this.hasBegun = false;
    this.about = {};
    this.untimed = "";
  }

  take(text) {
    let end;
    while ((end = text.indexOf("\n\n", this.taken)) >= 0) {
      const data = text.slice(this.taken, end).split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
      this.taken = end + 2;
      if (data.length > 0) this.event(JSON.parse(data.join("\n")));
    }
  }

  event(event) {
    this.hasBegun = true;
    if (event.type === "error") throw troubleOf(event.error);
    if (event.type === "transcript.text.delta") {
      if (event.start === undefined) return this.on.tail((this.untimed += event.delta));
      const words = event.words?.map((word) => ({ start: word.start, end: word.end, from: word.character_start, to: word.character_end }));
      // The beginning of the sentence may have been sent in deltas without times.
      const sentence = event.text ?? event.delta;
      if (this.untimed) this.on.tail((this.untimed = this.untimed.slice(sentence.length)));
      this.on.part({ text: sentence, start: event.start, end: event.end, words });
    }
    if (event.type === "transcript.text.done") {
      this.isWhole = true;
      this.about = { language: event.language, seconds: event.duration ?? event.usage?.seconds };
      if (this.untimed) this.on.part({ text: this.untimed, start: 0, end: this.about.seconds ?? 0 });
    }
  }
}
