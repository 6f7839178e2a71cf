import { ServerError } from "../base/api.js";
import { text } from "../base/words.js";

/** Returns why a file could not be opened, in the language of the page. The service's messages are in English. */
export function why(error) {
  if (!(error instanceof ServerError) || !error.code.startsWith("document_")) return error.message;
  return text(`unread-${error.code.slice("document_".length)}`, { message: error.message });
}
