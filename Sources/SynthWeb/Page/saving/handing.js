import { make } from "../base/dom.js";

/** A name that every system takes. */
export const fileName = (name) =>
  name.replace(/[\\/:*?"<>|\p{Cc}…]+/gu, " ").replace(/\s+/g, " ").trim().slice(0, 60).trim() || "synthhost";

/** Gives the reader a file. */
export function hand(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
