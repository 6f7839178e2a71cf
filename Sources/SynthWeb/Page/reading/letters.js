/** Returns the text node at a position in an element's text, and the position within that node. */
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
