import { make } from "../base/dom.js";

/** Returns a file name that is valid on every system. */
export const fileName = (name) =>
  name.replace(/[\\/:*?"<>|\p{Cc}…]+/gu, " ").replace(/\s+/g, " ").trim().slice(0, 60).trim() || "synthhost";

/** Saves a file on the user's computer. */
export function hand(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
