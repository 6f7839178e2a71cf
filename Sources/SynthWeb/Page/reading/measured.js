import { placeIn } from "./letters.js";

/** Fallback for browsers without caret positions: returns the character nearest to the point in the line at the height `y`. */
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

/** Returns the first character that ends below a height. Lines are ordered from top to bottom. */
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

/** Returns the box of the first visible character at or after a position. */
function boxFrom(element, place, end) {
  for (let next = place; next < end; next += 1) {
    const box = boxOf(element, next);
    if (box) return box;
  }
  return null;
}

/** Returns the box of a character, or null for line ends and other invisible characters. */
function boxOf(element, place) {
  const { node, offset } = placeIn(element, place);
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  const box = range.getClientRects()[0];
  return box && box.width > 0 ? box : null;
}
