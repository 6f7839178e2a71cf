"""Checks the marked text during reading and the position of a click, even in browsers with fewer features."""

from page_driver import need
from page_texts import LONG

# Removes features that some browsers do not have.
PLAIN = """
delete CSS.highlights;
delete window.Highlight;
delete Map.groupBy;
for (const name of ["caretPositionFromPoint", "caretRangeFromPoint"]) delete Document.prototype[name];
"""
MARKED = """
const highlight = (name) => [...(CSS.highlights?.get(name) ?? [])].join("");
const element = (name) => document.querySelector(`#reading ${name}`)?.textContent ?? "";
return {
  told: document.documentElement.dataset.word,
  word: highlight("word") || element("mark"),
  sentence: highlight("sentence") || element(".sentence"),
  elements: document.querySelectorAll("#reading p *").length,
  text: document.getElementById("reading").textContent,
};
"""
# Looks up the middle of each letter of a text on several lines, and returns the letters that are not found.
MISSED = """
const done = arguments[0];
Promise.all(["caret", "letters"].map((name) => import(new URL(`page/reading/${name}.js`, document.baseURI)))).then(async ([{ caretAt }, { placeIn }]) => {
  const text = "One two, שלום עולם three. 😀 Four five six seven eight.\\n  Nine";
  const element = document.createElement("p");
  element.style = "position: fixed; inset: 0 auto auto 0; width: 120px; margin: 0; white-space: pre-wrap; z-index: 9";
  const mark = document.createElement("mark");
  mark.append(text.slice(4, 7));
  element.append(text.slice(0, 4), mark, text.slice(7));
  document.body.append(element);
  const boxOf = (place) => {
    const { node, offset } = placeIn(element, place);
    const range = document.createRange();
    range.setStart(node, offset);
    range.setEnd(node, offset + 1);
    return range.getClientRects()[0];
  };
  const missed = [];
  let count = 0;
  for (let place = 0; place < text.length; place += 1) {
    const box = boxOf(place);
    if (!box || box.width === 0) continue;
    count += 1;
    const found = await caretAt(element, box.x + box.width / 2, box.y + box.height / 2);
    const other = boxOf(found ?? 0);
    if (found !== place && (other?.x !== box.x || other?.y !== box.y)) missed.push([place, found]);
  }
  const last = boxOf(text.length - 1);
  const behind = await caretAt(element, last.right + 20, last.y + last.height / 2);
  element.remove();
  done({ missed, count, behind: text.slice(behind) });
}, (error) => done({ missed: [String(error)] }));
"""


def marked(page):
    return page.run(MARKED)


def marks_word(page):
    """Returns the marked text, if it is a word in a sentence of LONG."""
    found = marked(page)
    return found if found["word"] and " number " in found["sentence"] else None


def plain(page, click_sentence):
    script = page.command("Page.addScriptToEvaluateOnNewDocument", source=PLAIN)["identifier"]
    try:
        page.open(page.origin)
        need(page.run("return !CSS.highlights && !document.caretPositionFromPoint && !document.caretRangeFromPoint"),
             "the browser still supports highlights or caret positions")
        text = f"First.\n\n{LONG}"
        page.type(text)
        page.run("window.sentences = []")
        page.one("#speak").click()
        found = page.wait(lambda: marks_word(page), "a word is marked")
        need(found["word"] == found["told"] and found["word"] in found["sentence"], found)
        need(found["elements"] == 2 and found["text"] == text.replace("\n", ""), f"{found['elements']} elements")
        need(page.faults() == [], "axe reports violations")
        page.picture("plain")
        click_sentence(page)
        found = page.wait(lambda: marks_word(page), "a word is marked after the click")
        need(found["word"] in found["sentence"] and found["elements"] == 2, found)
        page.stop()
    finally:
        page.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def letters(page):
    page.run("for (const name of ['caretPositionFromPoint', 'caretRangeFromPoint']) delete Document.prototype[name];")
    found = page.browser.execute_async_script(MISSED)
    need(found["missed"] == [] and found["count"] > 40 and found["behind"] == "e", found)
    page.open(page.origin)
