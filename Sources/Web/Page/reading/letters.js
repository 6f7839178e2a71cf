/** The letter at a place of an element's text: the node of text that has it, and where in there. */
export function placeIn(element, place) {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let before = 0;
  let node = nodes.nextNode();
  while (node && before + node.length <= place) {
    before += node.length;
    node = nodes.nextNode();
  }
  return node ? { node, offset: place - before } : null;
}

/** Where in the text of an element a point of the window is, in letters of its text; null = it is beside the element. */
export function caretAt(element, x, y) {
  const position = document.caretPositionFromPoint?.(x, y);
  const range = position ? null : document.caretRangeFromPoint?.(x, y);
  const node = position?.offsetNode ?? range?.startContainer;
  if (element.contains(node)) return lengthBefore(element, node, position?.offset ?? range.startOffset);
  return measured(element, x, y);
}

function lengthBefore(element, node, offset) {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** For browsers that do not tell: the nearest letter of the line at that height. */
function measured(element, x, y) {
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

/** The first letter that ends below a height: that of its line, as lines follow each other downwards. */
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

/** The box of the first letter from a place on that has one. */
function boxFrom(element, place, end) {
  for (let next = place; next < end; next += 1) {
    const box = boxOf(element, next);
    if (box) return box;
  }
  return null;
}

/** The box of one letter; null for a line's end and the like. */
function boxOf(element, place) {
  const { node, offset } = placeIn(element, place);
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, offset + 1);
  const box = range.getClientRects()[0];
  return box && box.width > 0 ? box : null;
}
