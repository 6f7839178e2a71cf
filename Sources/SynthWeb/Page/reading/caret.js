/** Returns the UTF-16 position in an element's text at a point of the window, or null if the point is outside the text. */
export async function caretAt(element, x, y) {
  const position = document.caretPositionFromPoint?.(x, y);
  const range = position ? null : document.caretRangeFromPoint?.(x, y);
  const node = position?.offsetNode ?? range?.startContainer;
  if (element.contains(node)) return lengthBefore(element, node, position?.offset ?? range.startOffset);
  return (await import("./measured.js")).measured(element, x, y);
}

function lengthBefore(element, node, offset) {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}
