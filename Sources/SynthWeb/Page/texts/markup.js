import { send } from "../base/api.js";
import { typed } from "./document.js";
import { opened } from "./opened.js";

/** Marks that nobody writes but for Markdown: strong words, links with an address, code between ticks. */
const clear = [/(^|[^\w*])\*\*[^\s*][^*\n]*\*\*(?!\w)/, /!?\[[^[\]\n]{0,300}\]\((<[^>\n]*>|[^\s()]*[/#.:][^\s()]*)([ \t]+"[^"\n]*")?\)/, /(^|[^`\w])`[^`\s][^`\n]*`(?!\w)/];

/** Marks at the beginning of a line that say less: several of them do. */
const heading = /^ {0,3}#{1,6}[ \t]+\S/;
const item = /^\s*[-*+][ \t]+\S/;
const numbered = /^\s*\d{1,9}[.)][ \t]+\S/;
const quotation = /^ {0,3}>[ \t]?\S/;
/** Rows of tildes also stand between scenes. */
const fence = /^\s*```[^`]*$/;
const delimiter = /^[\s>]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** In letters: what is looked at. */
const longest = 100_000;

/** Whether a text that somebody typed or pasted is Markdown, and not only looks like it here and there. */
export function isMarkdown(text) {
  const lines = text.slice(0, longest).split(/\r\n?|\n/);
  const found = { headings: 0, items: 0, others: 0 };
  for (const [index, line] of lines.entries()) {
    if (fence.test(line)) return true;
    if (delimiter.test(line) && line.includes("|") && lines[index - 1]?.includes("|")) return true;
    if (clear.some((pattern) => pattern.test(line))) return true;
    if (heading.test(line)) found.headings += 1;
    // A row of stars between two scenes is no item.
    else if (item.test(line) && /[\p{L}\p{N}]/u.test(line)) found.items += 1;
    else if (numbered.test(line) || quotation.test(line)) found.others += 1;
  }
  const words = lines.filter((line) => /[\p{L}\p{N}]/u.test(line)).length;
  if (found.headings > 0) return words > found.headings || found.headings > 1;
  return found.items > 1 || (found.items > 0 && found.others > 0);
}

/** A text in Markdown as a document, which the service makes. */
export async function marked(text) {
  const answer = await send("POST", "api/documents?form=markdown", new Blob([text]));
  const content = opened(await answer.json(), "");
  content.title ||= typed(content.text).title;
  return content;
}
