"""Checks opening files on the page, with its button and with drag and drop."""

import os

from page_driver import need
from page_reading import made, numbers, sentences
from page_texts import LONG

DOCUMENTS = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../Tests/Fixtures/Documents"))
# Counts the requests that send a file.
COUNT = """
window.sent = 0;
const send = window.fetch;
window.fetch = (path, options) => {
  if (options?.body instanceof Blob) window.sent += 1;
  return send(path, options);
};
"""
# Drags a file over the text and drops it; returns whether the page accepts each of the two events.
DROP = """
const [name, content, size] = arguments;
const data = new DataTransfer();
data.items.add(new File([size ? new Uint8Array(size) : content], name, { type: "text/plain" }));
const takes = (type) => !document.getElementById("column").dispatchEvent(
  new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
return [takes("dragover"), takes("drop")];
"""


def content(page):
    return page.run("return document.getElementById('reading').textContent")


def large(page):
    path = os.path.join(page.downloads, "large.txt")
    with open(path, "w") as file:
        file.write("\n\n".join([LONG] * 60))
    page.one("#file").send_keys(path)
    page.wait(lambda: page.run("return document.getElementById('reading').textContent.length") > 1_000_000, "the file is shown")
    need(page.text("#title") == "large", page.text("#title"))
    page.run("window.sentences = []; performance.clearResourceTimings()")
    page.one("#speak").click()
    page.wait(lambda: any(number >= 8 for number in numbers(page)), "the text is read")
    parts, last = made(page)
    # Each part contains more than 25 sentences.
    need(parts <= 4 + last // 25, f"{parts} parts were synthesized")
    page.stop()
    need(page.shown("#text") and page.state() == "idle", "the reader did not stop")


def typed(page):
    """Checks Markdown that the user types or pastes."""
    page.type("# The *first* head\n\nSome **strong** words.\n\n- one [link](https://a.b/c)\n- two")
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: page.shown("#reading") and not page.shown("#text"), "the formatted text is shown")
    need(not any(sign in content(page) for sign in "#*[("), content(page))
    page.until("ended")
    need("Some strong words." in "".join(sentences(page)), sentences(page))
    page.one("#edit").click()
    need(page.one("#text").get_attribute("value").startswith("# The *first* head"), "the typed markup is lost")
    page.type("2 * 3 is not # a mark.")
    page.one("#speak").click()
    page.wait(lambda: content(page) == "2 * 3 is not # a mark.", "plain text is unchanged")
    page.until("ended")


def drop(page):
    taken = page.run(DROP, "note.txt", "I was dropped, and I am spöken.", 0)
    need(taken == [True, True], f"the browser would open the file: {taken}")
    page.wait(lambda: content(page) == "I was dropped, and I am spöken.", "the text of the file is shown")
    opened(page, "note is open.")
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: any("dropped" in sentence for sentence in sentences(page)), "the text is read")
    page.until("ended")
    page.run(DROP, "sound.bin", "\0\1\2", 0)
    refused(page, "Cannot open sound.bin.", "This type of file is not supported. Choose an EPUB, PDF, DOCX, FB2, HTML, Markdown or text file.")
    page.run(DROP, "paper.pdf", "%PDF-1.7\n\0", 0)
    refused(page, "Cannot open paper.pdf.", "The file is damaged.")
    need(content(page).startswith("I was dropped"), "the text is lost")


def too_long(page):
    page.run(COUNT)
    page.type("This stays.")
    path = os.path.join(page.downloads, "huge.txt")
    with open(path, "w") as file:
        file.truncate(50_000_000)
    page.one("#file").send_keys(path)
    refused(page, "huge.txt is 50 MB", "the limit is 33.6 MB")
    need(page.run(DROP, "long.txt", "", 41_234_567) == [True, True], "the browser would open the file")
    refused(page, "long.txt is 41.2 MB", "the limit is 33.6 MB")
    need(page.run("return document.getElementById('text').value") == "This stays.", "the text is lost")
    need(page.run("return window.sent") == 0, "the file was sent")
    page.run(DROP, "short.txt", "This is short.", 0)
    page.wait(lambda: content(page) == "This is short.", "another file is shown")
    need(page.run("return window.sent") == 1, "the request was not counted")


def opened(page, sentence):
    """Checks that the message is announced, that the focus is at a position from which the text can be read, and that nothing else is
    announced."""
    page.wait(lambda: page.run("return document.getElementById('announcer').textContent") == sentence, "the message is announced")
    page.wait(lambda: not page.shown("#opening"), "the progress is hidden")
    need(page.run("return document.getElementById('opening').textContent") == "", "the progress is still announced")
    need(page.focused() != "BODY", "the focus is lost")
    need(not page.shown("#alarm-box"), "another error is still shown")


def announces(page):
    """Checks that a file's progress is announced to users who do not see the page."""
    page.run("document.getElementById('new-text').click()")
    page.run(DROP, "broken.epub", "PK\3\4, and no more", 0)
    page.wait(lambda: page.shown("#alarm"), "the error is shown")
    need(page.focused() != "BODY", "the focus is lost")
    path = os.path.join(page.downloads, "letter.txt")
    with open(path, "w") as file:
        file.write("Dear reader, this is short.")
    # Simulate the focus after the file dialog: the button that opened the dialog has the focus, but is hidden while text is shown.
    page.run("document.getElementById('open-file').focus()")
    page.one("#file").send_keys(path)
    opened(page, "letter is open.")
    need(page.focused() == "speak", f"the focus is at {page.focused()}")
    # An alert must disappear when it no longer applies.
    page.run(DROP, "sound.bin", "\0\1\2", 0)
    page.wait(lambda: page.shown("#alarm"), "the error is shown")
    page.run("document.getElementById('alarm-close').focus()")
    page.run("document.getElementById('new-text').click()")
    page.wait(lambda: not page.shown("#alarm-box"), "a new text hides the error")
    need(page.run("return document.getElementById('alarm').textContent") == "", "the error is still announced")
    page.run(DROP, "sound.bin", "\0\1\2", 0)
    page.wait(lambda: page.shown("#alarm"), "the error is shown")
    page.sheet("shelf")
    page.run("document.querySelector('#shelf-list .pick').click()")
    opened(page, "letter is open.")


def gaps(page):
    """Checks that the scanned pages of a PDF and the missing files of a book are reported."""
    page.one("#file").send_keys(os.path.join(DOCUMENTS, "partly-scanned.pdf"))
    refused(page, "These pages of partly-scanned.pdf are images and are not read aloud: 2, 4–5.")
    need("Hello there" in content(page), "the other pages are not shown")
    page.one("#file").send_keys(os.path.join(DOCUMENTS, "incomplete.epub"))
    refused(page, "Some text may be missing, because incomplete.epub lacks these files: b.xhtml.")
    need("Only this chapter" in content(page), "the chapter is not shown")


def refused(page, *parts):
    page.wait(lambda: page.shown("#alarm"), f"the error is shown: {parts}")
    need(all(part in page.text("#alarm") for part in parts), page.text("#alarm"))
    page.one("#alarm-close").click()
    need(not page.shown("#alarm"), "the error cannot be closed")
