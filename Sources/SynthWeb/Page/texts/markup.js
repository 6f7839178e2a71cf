import { send } from "../base/api.js";
import { typed } from "./document.js";
import { opened } from "./opened.js";

/** Markup that occurs only in Markdown: strong text, links with a URL, and code in backticks. */
const clear = [/(^|[^\w*])\*\*[^\s*][^*\n]*\*\*(?!\w)/, /!?\[[^[\]\n]{0,300}\]\((<[^>\n]*>|[^\s()]*[/#.:][^\s()]*)([ \t]+"[^"\n]*")?\)/, /(^|[^`\w])`[^`\s][^`\n]*`(?!\w)/];

/** Line prefixes that also occur in text without markup. */
const heading = /^ {0,3}#{1,6}[ \t]+\S/;
const item = /^\s*[-*+][ \t]+\S/;
const numbered = /^\s*\d{1,9}[.)][ \t]+\S/;
const quotation = /^ {0,3}>[ \t]?\S/;
/** Tildes are excluded, because rows of tildes also separate scenes. */
const fence = /^\s*```[^`]*$/;
const delimiter = /^[\s>]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** The number of characters to examine. */
const longest = 100_000;

/** Whether typed or pasted text is Markdown. A single list item, numbered line or quotation is not sufficient. */
export function isMarkdown(text) {
  const lines = text.slice(0, longest).split(/\r\n?|\n/);
  const found = { headings: 0, items: 0, others: 0 };
  for (const [index, line] of lines.entries()) {
    if (fence.test(line)) return true;
    if (delimiter.test(line) && line.includes("|") && lines[index - 1]?.includes("|")) return true;
    if (clear.some((pattern) => pattern.test(line))) return true;
    if (heading.test(line)) found.headings += 1;
    // A row of asterisks that separates scenes is not a list item.
    else if (item.test(line) && /[\p{L}\p{N}]/u.test(line)) found.items += 1;
    else if (numbered.test(line) || quotation.test(line)) found.others += 1;
  }
  const words = lines.filter((line) => /[\p{L}\p{N}]/u.test(line)).length;
  if (found.headings > 0) return words > found.headings || found.headings > 1;
  return found.items > 1 || (found.items > 0 && found.others > 0);
}

/** Sends Markdown text to the service and returns the parsed document. */
export async function marked(text) {
  const answer = await send("POST", "api/documents?form=markdown", new Blob([text]));
  const content = opened(await answer.json(), "");
  content.title ||= typed(content.text).title;
  return content;
}
