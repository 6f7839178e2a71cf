import { placeIn } from "./letters.js";

/** For browsers that do not provide positions: the character of the line at that height that is nearest to the point. */
export function measured(element, x, y) {
  const length = element.textContent.length;
  const first = lineAt(element, y, length);
  let best = null;
  let least = Infinity;
  for (let place = first.place; place < length; place += 1) {
    const box = boxOf(element, place);
    if (!box) continue;
    if (box.top >= first.bottom) break;
    const distance = Math.max(box.left - x, x - box.right, 0);
    if (distance < least) [best, least] = [place, distance];
    if (least === 0) break;
  }
  return best;
}

/** The first character that ends below a height. Lines are ordered from top to bottom. */
function lineAt(element, y, length) {
  let low = 0;
  let high = length;
  let bottom = Infinity;
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = boxFrom(element, middle, high);
    if (box && box.bottom <= y) low = middle + 1;
    else {
      high = middle;
      bottom = box?.bottom ?? bottom;
    }
  }
  return { place: low, bottom };
}

/** The box of the first visible character from a position on. */
function boxFrom(element, place, end) {
  for (let next = place; next < end; next += 1) {
    const box = boxOf(element, next);
    if (box) return box;
  }
  return null;
}

/** The box of a character; null for line ends and other invisible characters. */
function boxOf(element, place) {
  const { node, offset } = placeIn(element, place);
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  const box = range.getClientRects()[0];
  return box && box.width > 0 ? box : null;
}
