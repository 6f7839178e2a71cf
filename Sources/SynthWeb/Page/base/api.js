import { text } from "./words.js";

export class ServerError extends Error {
  constructor(status, error) {
    super(error?.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = error?.code ?? "";
  }
}

/** Sends a request and returns the JSON response, or null if it is empty. */
export async function ask(method, path, body) {
  const answer = await send(method, path, body);
  return answer.status === 204 ? null : answer.json();
}

/** Sends a request. The caller reads the response as it arrives. */
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
    // A response with one of these statuses is from a proxy that cannot reach the service.
    if (answer.status >= 502) throw new Error(text("noAnswer"));
  }
  throw new ServerError(answer.status, error);
}

/** The base URL of the service, with a trailing slash. A proxy may add a path. */
export const base = new URL(".", document.baseURI).href;

/** Calls `fetch`. If there is no response, throws an error with a message for the user. */
export async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error(text("noAnswer"));
  }
}

/** Yields the parsed events of a stream. Throws if the connection is lost. */
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
