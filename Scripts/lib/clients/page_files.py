"""Files that the page opens, by its button and by dropping them."""

import os

from page_driver import need
from page_texts import LONG

# Counts how often the content of a file is read.
COUNT = """
window.reads = 0;
const read = Blob.prototype.arrayBuffer;
Blob.prototype.arrayBuffer = function () { window.reads += 1; return read.call(this); };
"""
# Drags over the text, and drops there; tells whether the page takes each.
DROP = """
const [name, content, size] = arguments;
const data = new DataTransfer();
data.items.add(new File([size ? new Uint8Array(size) : content], name, { type: "text/plain" }));
const takes = (type) => !document.getElementById("text").dispatchEvent(
  new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
return [takes("dragover"), takes("drop")];
"""


def content(page):
    return page.run("return document.getElementById('text').value")


def large(page):
    path = os.path.join(page.downloads, "large.txt")
    with open(path, "w") as file:
        file.write("\n\n".join([LONG] * 60))
    page.one("#file").send_keys(path)
    page.wait(lambda: page.run("return document.getElementById('text').value.length") > 1_000_000, "it is read")
    page.run("window.words = []; performance.clearResourceTimings()")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.words.includes('8')"), "it reads")
    asked = page.run("return performance.getEntriesByType('resource').filter((e) => e.name.includes('speech')).length")
    need(asked <= 4, f"{asked} parts were made")
    page.one("#stop").click()
    page.wait(lambda: not page.shown("#reading"), "it stops")


def drop(page):
    taken = page.run(DROP, "note.txt", "I was dropped, and I am spöken.", 0)
    need(taken == [True, True], f"the browser would show the file: {taken}")
    page.wait(lambda: content(page) == "I was dropped, and I am spöken.", "its text is there")
    need(page.focused() == "text", page.focused())
    page.run("window.words = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.words.includes('dropped,') || window.words.includes('dropped')"), "it is read")
    page.one("#stop").click()
    page.run(DROP, "sound.bin", "\0\1\2", 0)
    refused(page, "sound.bin could not be read")
    need(content(page).startswith("I was dropped"), "the text is gone")


def too_long(page):
    page.run(COUNT)
    page.type("This stays.")
    path = os.path.join(page.downloads, "huge.txt")
    with open(path, "w") as file:
        file.truncate(50_000_000)
    page.one("#file").send_keys(path)
    refused(page, "huge.txt has 50 MB", "up to 5 MB")
    need(page.run(DROP, "long.txt", "", 12_345_678) == [True, True], "the browser would show the file")
    refused(page, "long.txt has 12.3 MB", "up to 5 MB")
    need(content(page) == "This stays.", "the text is gone")
    need(page.run("return window.reads") == 0, "it was read")
    page.run(DROP, "short.txt", "This is short.", 0)
    page.wait(lambda: content(page) == "This is short.", "another file is read")
    need(page.run("return window.reads") == 1, "reading is not counted")


def refused(page, *parts):
    page.wait(lambda: page.shown("#alarm"), f"it is told: {parts}")
    need(all(part in page.text("#alarm") for part in parts), page.text("#alarm"))
    page.one("#alarm-close").click()
    need(not page.shown("#alarm"), "what went wrong is put away")
