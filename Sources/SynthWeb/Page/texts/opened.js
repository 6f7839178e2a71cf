import { Document } from "./document.js";

/**
 * Creates a document from the service's chapters and blocks.
 *
 * @param name the file name, for a document without a title
 */
export function opened({ title, authors, language, chapters }, name) {
  const parts = [];
  const blocks = [];
  const headings = [];
  // Prefer the levels in the table of contents over the heading levels.
  const hasContents = chapters.some((chapter) => chapter.level);
  let place = 0;
  for (const chapter of chapters) {
    const first = blocks.length;
    const begins = place;
    const own = (chapter.level ?? 1) - 1;
    if (hasContents && chapter.title) headings.push({ title: chapter.title, start: begins, depth: own });
    const top = Math.min(...chapter.blocks.map((block) => block.level ?? Infinity));
    for (const { kind, text, ...more } of chapter.blocks) {
      // Program code and breaks between scenes are shown but not spoken.
      if (kind === "code" || kind === "scene") {
        blocks.push({ kind, start: place, end: place, shown: kind === "code" ? text : "* * *" });
        continue;
      }
      blocks.push({ kind, start: place, end: place + text.length, ...more });
      const title = text.replaceAll("\n", ". ");
      if (kind === "heading" && !hasContents && more.level <= 3) headings.push({ title, start: place, depth: more.level - 1 });
      if (kind === "heading" && hasContents && place > begins && more.level > top) headings.push({ title, start: place, depth: own + Math.min(2, more.level - top) });
      parts.push(text);
      place += text.length + 2;
    }
    const isNamed = blocks.slice(first, first + 3).some((block) => block.kind === "heading");
    if (chapter.title && !isNamed && !hasContents) headings.push({ title: chapter.title, start: begins, depth: 0 });
    if (blocks[first]) blocks[first].begins = true;
  }
  headings.sort((one, other) => one.start - other.start);
  const least = Math.min(...headings.map((heading) => heading.depth));
  for (const heading of headings) heading.depth -= least;
  return new Document(parts.join("\n\n"), blocks, {
    title: title || name.replace(/\.[^.]+$/, ""),
    authors: title ? authors : [],
    language: language ?? "",
    headings: headings.length > 1 ? headings : [],
    isBook: /\.(epub|fb2)$/i.test(name),
  });
}
