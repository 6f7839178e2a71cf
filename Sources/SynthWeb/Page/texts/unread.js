import { ServerError } from "../base/api.js";
import { text } from "../base/words.js";

/** Why a file was not opened, in the language of the page; the service knows English only. */
export function why(error) {
  if (!(error instanceof ServerError) || !error.code.startsWith("document_")) return error.message;
  return text(`unread-${error.code.slice("document_".length)}`, { message: error.message });
}
