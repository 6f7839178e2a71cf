import { alarm } from "./announcer.js";
import { byId } from "./dom.js";
import { bytes, text } from "./text.js";

/** Bytes of a file that is read; a long novel has three million. */
const longest = 5_000_000;

/** Gives `use` the text of each file that somebody opens, or drops anywhere on the page. */
export function takeFiles(use) {
  const chooser = byId("file");
  byId("open-file").onclick = () => chooser.click();
  chooser.onchange = () => {
    if (chooser.files[0]) take(chooser.files[0], use);
    chooser.value = "";
  };
  // Anywhere: a browser would leave the page and show the file.
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    take(file, use);
  });
}

async function take(file, use) {
  if (file.size > longest) {
    return alarm(text("fileTooLong", { name: file.name, size: bytes(file.size), limit: bytes(longest) }));
  }
  try {
    const content = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (content.includes("\0")) throw new TypeError("no text");
    use(content);
  } catch {
    alarm(text("fileUnread", { name: file.name }));
  }
}
