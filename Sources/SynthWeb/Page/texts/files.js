import { alarm, announce, calm, focusAgain, isFocusLost } from "../base/announcer.js";
import { send } from "../base/api.js";
import { byId } from "../base/dom.js";
import { explain } from "../base/session.js";
import { closeSheets } from "../base/sheet.js";
import { bytes, text } from "../base/words.js";
import { desk, put } from "./desk.js";

/** The maximum file size that the service accepts, in bytes. */
const longest = 32 * 2 ** 20;
/** The formats by file name extension. The name itself is not sent to the service. */
const forms = { epub: "book", html: "page", htm: "page", xhtml: "page", md: "markdown", markdown: "markdown", fb2: "fictionBook" };

let isElsewhere = () => false;

/**
 * Opens files that the user selects or drops on the page.
 *
 * @param elsewhere receives each file first and returns true if it opens the file
 */
export function takeFiles(elsewhere) {
  isElsewhere = elsewhere;
  const chooser = byId("file");
  for (const id of ["open-file", "open-other"]) byId(id).onclick = () => chooser.click();
  chooser.onchange = () => {
    if (chooser.files[0]) take(chooser.files[0]);
    chooser.value = "";
  };
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  // Otherwise the browser would leave the page and show the file.
  document.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    byId("drop").hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) byId("drop").hidden = true;
  });
  document.addEventListener("drop", (event) => {
    byId("drop").hidden = true;
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}

async function take(file) {
  closeSheets();
  calm();
  if (isElsewhere(file)) return;
  if (file.size > longest) {
    return alarm(text("fileTooLong", { name: file.name, size: bytes(file.size), limit: bytes(longest) }));
  }
  const opening = byId("opening");
  opening.textContent = text("opening", { name: file.name });
  opening.hidden = false;
  try {
    const form = forms[file.name.split(".").at(-1).toLowerCase()];
    const answer = await send("POST", `api/documents${form ? `?form=${form}` : ""}`, file);
    const content = await answer.json();
    await put(content, file.name);
    announce(text("opened", { name: desk.document.title }));
    if (content.missingFiles || content.scannedPages) (await import("./unread.js").catch(() => null))?.warn(content, file.name);
  } catch (error) {
    if (explain(error)) return;
    const { why } = await import("./unread.js").catch(() => ({ why: () => error.message }));
    alarm(text("fileUnread", { name: file.name, why: why(error) }));
  } finally {
    opening.hidden = true;
    opening.textContent = "";
    if (isFocusLost()) focusAgain();
  }
}
