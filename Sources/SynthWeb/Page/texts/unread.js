import { alarm } from "../base/announcer.js";
import { ServerError } from "../base/api.js";
import { text } from "../base/words.js";

/** Returns why a file could not be opened, in the language of the page. The service's messages are in English. */
export function why(error) {
  if (!(error instanceof ServerError) || !error.code.startsWith("document_")) return error.message;
  return text(`unread-${error.code.slice("document_".length)}`, { message: error.message });
}

/** Shows which parts of an opened document are missing or not text. */
export function warn({ missingFiles = [], scannedPages = [] }, name) {
  const messages = [];
  if (scannedPages.length) messages.push(text("scannedPages", { name, pages: list(ranges(scannedPages)) }));
  if (missingFiles.length) messages.push(text("missingFiles", { name, files: list(missingFiles) }));
  alarm(messages.join(" "));
}

const list = (items) => [...items.slice(0, 10), ...(items.length > 10 ? ["…"] : [])].join(", ");

/** Combines consecutive page numbers, as in "2, 4–7". */
function ranges(pages) {
  const found = [];
  for (const page of pages) {
    if (found.at(-1)?.at(-1) === page - 1) found.at(-1)[1] = page;
    else found.push([page]);
  }
  return found.map((range) => range.join("–"));
}
