import { text } from "./words.js";

/** An error that the server answered. */
export class ServerError extends Error {
  constructor(status, error) {
    super(error?.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = error?.code ?? "";
  }
}

/** Asks; the answer's JSON, or null if there is none. */
export async function ask(method, path, body) {
  const answer = await send(method, path, body);
  return answer.status === 204 ? null : answer.json();
}

/** Asks for something that is read as it comes. */
export async function send(method, path, body, signal) {
  const isFile = body instanceof Blob;
  const answer = await reach(path, {
    method,
    signal,
    headers: body === undefined || isFile ? {} : { "Content-Type": "application/json" },
    body: body === undefined || isFile ? body : JSON.stringify(body),
  });
  if (answer.ok) return answer;
  let error = null;
  try {
    error = (await answer.json()).error;
  } catch {
    // A proxy answered for a service that is away.
    if (answer.status >= 502) throw new Error(text("noAnswer"));
  }
  throw new ServerError(answer.status, error);
}

/** The address of the service, with a slash at its end. A proxy may have it below a path. */
export const base = new URL(".", document.baseURI).href;

/** The browser's `fetch`, which has a sentence for the reader if no answer comes. */
export async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error(text("noAnswer"));
  }
}

/** The events of a stream, each parsed. Throws if the stream breaks. */
export async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const data = part
        .split("\n")
        .filter((line) => line.startsWith("data: "))
        .map((line) => line.slice(6));
      if (data.length > 0) yield JSON.parse(data.join("\n"));
    }
  }
}
