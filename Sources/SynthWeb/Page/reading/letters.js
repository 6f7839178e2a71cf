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
