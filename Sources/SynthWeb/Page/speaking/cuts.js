/** The approximate length of a part, in UTF-16 code units. The first part is shorter, so that it plays sooner. */
const usual = 1200;
const first = 250;

/** Splits text into parts with their positions, at paragraph or sentence ends if possible. */
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
    // A very short part would cause a pause within a sentence.
    if (best > length / 4) return start + best;
  }
  const end = start + length;
  // Do not split a surrogate pair.
  return /[\uDC00-\uDFFF]/.test(text[end]) ? end + 1 : end;
}
