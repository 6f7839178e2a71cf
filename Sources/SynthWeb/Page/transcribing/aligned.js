/** The maximum number of comparisons. For longer text, times are estimated from the length. */
const most = 4_000_000;
/** Normalizes case and punctuation. */
const plain = (word) => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") || word;

/**
 * Aligns the words of edited text. Unchanged words keep their times. Changed words share the time between unchanged words.
 *
 * @param known the old words, with `word`, `start` and `end`
 * @param places the new words, with `word`, `from` and `to`
 */
export function aligned(known, places) {
  const times = new Array(places.length);
  for (const [one, other] of pairs(known.map((each) => plain(each.word)), places.map((each) => plain(each.word)))) times[other] = known[one];
  let place = 0;
  while (place < places.length) {
    if (times[place]) {
      place += 1;
      continue;
    }
    let next = place;
    while (next < places.length && !times[next]) next += 1;
    const from = place > 0 ? times[place - 1].end : (known[0]?.start ?? 0);
    const until = Math.max(from, times[next]?.start ?? known.at(-1)?.end ?? from);
    share(places, times, place, next, from, until);
    place = next;
  }
  return places.map(({ from, to }, index) => ({ from, to, start: times[index].start, end: times[index].end }));
}

function share(places, times, first, last, from, until) {
  const letters = places[last - 1].to - places[first].from;
  for (let index = first; index < last; index += 1) {
    const at = (letter) => from + ((letter - places[first].from) / letters) * (until - from);
    times[index] = { start: at(places[index].from), end: at(places[index].to) };
  }
}

/** Returns the longest common subsequence of the words. */
function pairs(one, other) {
  const found = [];
  let first = 0;
  while (first < one.length && first < other.length && one[first] === other[first]) found.push([first, first++]);
  let [end, otherEnd] = [one.length, other.length];
  const last = [];
  while (end > first && otherEnd > first && one[end - 1] === other[otherEnd - 1]) last.unshift([--end, --otherEnd]);
  return [...found, ...between(one.slice(first, end), other.slice(first, otherEnd)).map(([left, right]) => [left + first, right + first]), ...last];
}

function between(one, other) {
  if (one.length * other.length > most || one.length === 0) return [];
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? lengths[(row + 1) * width + column + 1] + 1
          : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
    }
  }
  const found = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) found.push([row++, column++]);
    else if (lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]) row += 1;
    else column += 1;
  }
  return found;
}
