"""Checks that no state is lost and work continues if the page is reloaded, hidden or opened twice."""

import page_first as first
from page_driver import need
from page_texts import LONG, TEXT

FIELD = "return document.getElementById('text').value"
# Simulates a browser whose storage responds on command, and a page that waits until its timeout.
LATE = """
const later = setTimeout;
window.giveUp = [];
window.setTimeout = (body, time, ...more) => (time === 10000 ? window.giveUp.push(body) : later(body, time, ...more));
const open = (window.realOpen = IDBFactory.prototype.open);
IDBFactory.prototype.open = function (...values) {
  const asked = {};
  window.answerStore = () => {
    const real = open.apply(this, values);
    real.onsuccess = () => ((asked.result = real.result), asked.onsuccess());
  };
  return asked;
};
"""
# Returns whether a text is stored. Does not create a database that the page has not created yet.
STORED = """
const [text, told] = arguments;
const asked = indexedDB.open("synthhost");
asked.onupgradeneeded = () => asked.transaction.abort();
asked.onerror = () => told(false);
asked.onsuccess = () => {
  const found = asked.result.transaction("texts").objectStore("texts").getAll();
  found.onsuccess = () => (asked.result.close(), told(found.result.includes(text)));
};
"""


# Makes the second audio that is loaded unplayable, either once or permanently.
UNPLAYABLE = """
const { src } = Object.getOwnPropertyDescriptors(HTMLMediaElement.prototype);
const bad = new Set();
let count = 0;
Object.defineProperty(HTMLMediaElement.prototype, "src", { ...src, set(value) {
  count += 1;
  if (count === 2) bad.add(value);
  src.set.call(this, bad.has(value) ? URL.createObjectURL(new Blob(["no sound"], { type: "audio/wav" })) : value);
  if (arguments_once) bad.clear();
}});
"""


def keeps(page, text):
    """Types text, and waits until it has been stored completely."""
    page.type(text)
    page.wait(lambda: page.run("return JSON.parse(localStorage.synthhost ?? '{}').shelf?.some((one) => one.length === arguments[0])", len(text)),
              "the text is in the list")
    page.wait(lambda: page.browser.execute_async_script(STORED, text), "the text is stored")


def late_store(page):
    """Checks that the user can read even if the browser loads the last text slowly or never."""
    last = "It was here last."
    keeps(page, last)
    script = page.command("Page.addScriptToEvaluateOnNewDocument", source=LATE)["identifier"]
    try:
        page.open(page.origin)
        need(page.shown("#text") and page.run(FIELD) == "", "the text is already shown")
        page.wait(lambda: page.run("return window.answerStore?.() ?? window.answerStore !== undefined"), "the page reads the database")
        page.wait(lambda: page.run(FIELD) == last, "the text is restored")
        page.open(page.origin)
        page.type("Another one.")
        page.one("#speak").click()
        page.until("speaking", "ended")
        page.stop()
    finally:
        page.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    first.clear(page)


def later_store(page):
    """Checks that a text is stored as soon as storage becomes available, even after the timeout."""
    text = "It waits for its store."
    script = page.command("Page.addScriptToEvaluateOnNewDocument", source=LATE)["identifier"]
    try:
        page.open(page.origin)
        page.type(text)
        page.wait(lambda: page.run("return window.answerStore && window.giveUp.length > 0"), "the page waits for the database")
        page.run("for (const body of window.giveUp) body()")
        page.run("window.answerStore(); IDBFactory.prototype.open = window.realOpen")
        page.wait(lambda: page.browser.execute_async_script(STORED, text), "the text is stored")
    finally:
        page.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    page.open(page.origin)
    page.wait(lambda: page.run(FIELD) == text, "the text is restored")
    first.clear(page)


def left_early(page):
    """Checks that a page that was left while it created its database, and is cached by the browser, does not block later pages."""
    page.go(f"{page.origin}page/manifest.json")
    page.browser.execute_async_script(
        "const asked = indexedDB.deleteDatabase('synthhost'); asked.onsuccess = asked.onerror = () => arguments[0]()")
    page.open(page.origin)
    # The last text is stored when the user leaves the page.
    page.type("The first one.")
    page.open(page.origin)
    last = "It is kept nevertheless."
    keeps(page, last)
    page.open(page.origin)
    page.wait(lambda: page.run(FIELD) == last, "the text is restored")
    first.clear(page)


def two_pages(page):
    """Checks that a page without changes does not undo the changes of another page."""
    page.open(page.origin)
    page.browser.switch_to.new_window("tab")
    page.open(page.origin)
    last = "It was written on another page."
    keeps(page, last)
    page.browser.close()
    page.browser.switch_to.window(page.browser.window_handles[0])
    page.open(page.origin)
    page.wait(lambda: page.run(FIELD) == last, "the text is restored here, too")
    first.clear(page)


def unseen(page):
    """Checks that a hidden page draws nothing but still stores the position."""
    page.type(LONG)
    page.run("window.requestAnimationFrame = () => 0")
    page.one("#speak").click()
    page.wait(lambda: page.run("return JSON.parse(localStorage.synthhost ?? '{}').shelf?.some((one) => one.place > 0)"), "the position changes")
    page.stop()
    first.clear(page)


def fails_at_once(page):
    """Checks a failure before the first audio."""
    page.open(page.origin)
    page.type("A text.")
    page.run("window.fetch = () => Promise.reject(new TypeError('nobody answers'))")
    page.one("#speak").click()
    page.wait(lambda: page.shown("#broken #try-again"), "the page offers to try again")
    page.stop()
    first.clear(page)


def link_again(page):
    """Checks opening the link with the token in a browser that already shows the page."""
    page.open(page.origin)
    page.run("location.hash = arguments[0]", page.link.split("#")[1])
    page.wait(lambda: "token" not in page.browser.current_url, "the token is accepted")
    page.wait(lambda: page.shown("#chip"), "the voice is shown")


def passes_over(page):
    """Checks that preloaded audio that cannot be played is loaded once more, and skipped if that fails."""
    for once, heard in [("true", 3), ("false", 2)]:
        page.open(page.origin)
        page.run(UNPLAYABLE.replace("arguments_once", once))
        page.type(TEXT)
        page.one("#speak").click()
        page.until("ended")
        count = page.run("return window.heard.length")
        need(count == heard, f"{count} sentences were played")
        first.clear(page)
