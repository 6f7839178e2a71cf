/** A part is about as long as this, the first one shorter, so that it sounds soon. */
const usual = 1200;
const first = 250;

/**
 * Cuts a text into parts that are spoken one after the other: at the ends of paragraphs and sentences if it can.
 * Each says where it begins.
 */
export function cuts(text, from = 0) {
  const found = [];
  let start = from;
  while (start < text.length) {
    const length = found.length === 0 ? first : usual;
    const end = start + length >= text.length ? text.length : cut(text, start, length);
    const part = text.slice(start, end);
    if (/[\p{L}\p{N}]/u.test(part)) found.push({ start, text: part });
    start = end;
  }
  return found;
}

function cut(text, start, length) {
  const window = text.slice(start, start + length * 2);
  const ends = [/\n\s*\n/g, /[.!?…。！？]["'”’»)\]]*\s+/gu, /\n/g, /\s+/g];
  for (const pattern of ends) {
    let best = 0;
    for (const match of window.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (end > length && best > 0) break;
      best = end;
      if (end > length) break;
    }
    // One that is very short would leave a pause that nobody expects.
    if (best > length / 4) return start + best;
  }
  const end = start + length;
  // Not between the halves of one letter.
  return /[\uDC00-\uDFFF]/.test(text[end]) ? end + 1 : end;
}
