"""Checks opening documents: a long book, its table of contents, and the restored position in it."""

import glob
import os
import random
import re
import time
import zipfile

from page_driver import need

CONTAINER = """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">lamp</dc:identifier><dc:title>{title}</dc:title>
<dc:creator>Ada Wren</dc:creator><dc:language>en</dc:language></metadata><manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{items}</manifest><spine>{spine}</spine></package>"""
PAGE = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>{body}</body></html>'
# Record the measurements without checking them, because other work may be running.
IS_BUSY = "PAGE_WALKS" in os.environ
WORDS = ("the lamp burned low and nobody in the house had noticed how the river rose against the old stones while Martha counted plates "
         "a letter came from the north with news of ships harbour wind winter bread children laughed under trees quiet evening").split()


def write(path, title="The Long Lamp", chapters=30, words=3000):
    """Writes a book. By default it has about 90 000 words, like a book of 300 pages."""
    chance = random.Random(7)

    def sentence():
        found = [chance.choice(WORDS) for _ in range(chance.randint(6, 24))]
        return found[0].capitalize() + " " + " ".join(found[1:]) + chance.choice(".?!")

    count = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        book.writestr("META-INF/container.xml", CONTAINER)
        for number in range(1, chapters + 1):
            body, written = f"<h2>Chapter {number}: {chance.choice(WORDS).capitalize()}</h2>", 0
            while written < words:
                text = " ".join(sentence() for _ in range(chance.randint(2, 7)))
                body, written = f"{body}<p>{text}</p>", written + len(text.split())
            body += "<blockquote><p>A letter, set apart.</p></blockquote><ol><li>First of all.</li><li>And then.</li></ol>"
            book.writestr(f"c{number}.xhtml", PAGE.format(body=body))
            count += written
        numbers = range(1, chapters + 1)
        book.writestr("nav.xhtml", PAGE.format(body='<nav epub:type="toc"><ol>' + "".join(
            f'<li><a href="c{number}.xhtml">Chapter {number}</a></li>' for number in numbers) + "</ol></nav>"))
        book.writestr("book.opf", PACKAGE.format(
            title=title,
            items="".join(f'<item id="c{number}" href="c{number}.xhtml" media-type="application/xhtml+xml"/>' for number in numbers),
            spine="".join(f'<itemref idref="c{number}"/>' for number in numbers)))
    return count


def drop_in(page, path):
    """Returns the seconds until the first page is visible."""
    page.run("""
      window.opened = null;
      document.getElementById("file").addEventListener("change", () => (window.begun = performance.now()), { once: true, capture: true });
      new MutationObserver((_, watch) => {
        if (!document.querySelector("#reading .block")) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => (window.opened = performance.now() - window.begun)));
      }).observe(document.getElementById("reading"), { childList: true });""")
    page.one("#file").send_keys(path)
    return page.wait(lambda: page.run("return window.opened"), "the book is shown") / 1000


def opens(page, facts):
    path = os.path.join(page.downloads, "long.epub")
    facts["words of the book"] = write(path)
    page.run("document.getElementById('new-text').click(); document.getElementById('reading').replaceChildren()")
    seconds = drop_in(page, path)
    facts["seconds until the book is shown"] = round(seconds, 2)
    need(page.text("#title") == "The Long Lamp" and page.run("return document.title").startswith("The Long Lamp"), "the title is missing")
    need("Ada Wren" in page.text("#reading .cover"), "the author is missing")
    need(page.run("return document.querySelectorAll('#reading .block').length") > 1000, "the book is incomplete")
    need(seconds < 1 or IS_BUSY, f"opening took {seconds:.2f} s")


SCROLL = """
const done = arguments[0];
let frames = 0;
const begun = performance.now();
const step = (now) => {
  frames += 1;
  scrollBy({ top: 60, behavior: "instant" });
  if (now - begun < 4000) requestAnimationFrame(step);
  else done((1000 * frames) / (now - begun));
};
requestAnimationFrame(step);
"""


def scrolls(page, facts):
    # Retry, because other programs may be using the machine.
    frames = 0
    for _ in range(5):
        page.run("scrollTo({ top: 0, behavior: 'instant' })")
        frames = max(frames, page.browser.execute_async_script(SCROLL))
        if frames >= 50 or IS_BUSY:
            break
    facts["frames per second while scrolling"] = round(frames, 1)
    need(page.run("return scrollY") > 5000, "the page did not scroll")
    need(frames >= 50 or IS_BUSY, f"{frames:.1f} frames per second")


def memory(page, facts):
    """Measures the memory of the process that shows the page: its private memory, and its share of shared memory."""
    page.command("HeapProfiler.collectGarbage")
    bytes_of = []
    for place in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(place, "rb") as file:
                command = file.read().decode(errors="replace")
            if "--type=renderer" in command and page.profile in command or "--type=renderer" in command and not page.profile:
                bytes_of.append(share(place.replace("cmdline", "smaps_rollup")))
        except OSError:
            continue
    facts["memory of the page's process (MB)"] = round(max(bytes_of) / 1e6)
    need(max(bytes_of) < 300e6, f"{max(bytes_of) / 1e6:.0f} MB")


def share(path):
    with open(path) as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) * 1024


def contents(page):
    page.sheet("contents")
    rows = page.shown("#contents-list button")
    need(len(rows) == 30 and rows[11].text.startswith("Chapter 12"), f"{len(rows)} rows")
    page.picture("contents")
    rows[11].click()
    heading = page.wait(lambda: next((one for one in page.all("#reading h3") if one.text.startswith("Chapter 12")), None), "the heading exists")
    top = lambda: page.run("return arguments[0].getBoundingClientRect().top", heading)
    page.wait(lambda: 0 <= top() < page.height / 2, "the heading is visible")
    page.shut()


def chapter(page):
    """Checks that the timeline covers the chapter, and that the duration of the entire book is shown separately."""
    need(re.match(r"Chapter 12 of 30 · about \d+ h( \d+ min)? left in total$", page.text("#chapter")), page.text("#chapter"))
    need(re.fullmatch(r"about \d+ min left", page.text("#left")) and page.text("#elapsed") == "0:00", page.text("#left"))
    page.run("""
      const line = document.getElementById("timeline");
      line.value = line.max / 2;
      line.dispatchEvent(new Event("input"));
      line.dispatchEvent(new Event("change"));""")
    need(page.text("#chapter").startswith("Chapter 12 of 30") and page.text("#elapsed") != "0:00", page.text("#chapter"))
    page.sheet("contents")
    page.shown("#contents-list button")[11].click()
    page.shut()


def remembers(page):
    """Checks that the position in the book is restored when the page is reopened."""
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.sentences.length > 0"), "the chapter is read")
    page.picture("book")
    stays_in_sight(page)
    page.one("#next").click()
    page.wait(lambda: page.run("return JSON.parse(localStorage.synthhost ?? '{}').shelf?.some((one) => one.place > 1000)"), "the position is stored")
    page.open(page.origin)
    page.wait(lambda: page.text("#title") == "The Long Lamp", "the book is shown again")
    shown = lambda: page.run(
        "return [...document.querySelectorAll('#reading h3')].find((one) => one.textContent.startsWith('Chapter 12'))"
        ".getBoundingClientRect().top")
    page.wait(lambda: -600 < shown() < 800, "the chapter is visible")
    page.sheet("contents")
    need(page.text("#contents-list [aria-current]").startswith("Chapter 12"), "the table of contents does not mark the chapter")
    page.shut()
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.sentences.length > 0"), "reading continues")
    page.one("#speak").click()


def stays_in_sight(page):
    """Checks that the current sentence stays visible when a panel opens next to it and the text is reflowed."""
    seen = lambda: page.run("""
      const box = [...CSS.highlights.get("sentence")][0]?.getBoundingClientRect();
      return box && box.bottom > 52 && box.top < document.getElementById("player").getBoundingClientRect().top;""")
    page.wait(seen, "the current sentence is visible")
    page.sheet("shelf")
    if page.width >= 768:
        page.wait(seen, "the current sentence is visible next to a panel")
    page.shut()
    page.wait(seen, "the current sentence is visible again")


def forgets(page):
    page.sheet("shelf")
    need(any(row.text.startswith("The Long Lamp") for row in page.shown("#shelf-list .row")), "the book is not listed")
    page.picture("shelf")
    row = lambda: next((row for row in page.shown("#shelf-list .row") if row.text.startswith("The Long Lamp")), None)
    need(re.search(r"Ada Wren · about \d+ h.* · \d+% read", row().text), row().text)
    row().find_element("css selector", ".actions button").click()
    page.wait(lambda: not row() and page.focused() == "undo", "the book is removed")
    page.one("#undo").click()
    page.wait(row, "the book is restored")
    row().find_element("css selector", ".actions button").click()
    page.wait(lambda: not row(), "the book is removed")
    need(page.focused() != "BODY", "the focus is lost")
    if page.shown("#forget-all"):
        page.one("#forget-all").click()
    page.wait(lambda: not page.shown("#shelf-list .row"), "all texts are removed")
    page.shut()
    page.open(page.origin)
    need(page.run("return (JSON.parse(localStorage.synthhost).shelf ?? []).length") == 0, "a text is still stored")


def formats(page):
    """Checks that the service reads documents and keeps their structure."""
    for name, content, wanted in [
        ("note.md", "# A note\n\nWith a *word*.\n\n## More\n\n> Said.\n\n1. One\n2. Two\n\n```\ncode\n```\n",
         ["h2", "p", "h3", "p quoted", "p item", "p item", "pre code"]),
        ("page.html", "<html lang='de'><title>Seite</title><h1>Eins</h1><p>Ein Satz.</p><table><tr><td>a</td><td>b</td></tr></table>",
         ["h2", "p", "p row"]),
    ]:
        path = os.path.join(page.downloads, name)
        with open(path, "w") as file:
            file.write(content)
        page.run("document.getElementById('reading').replaceChildren()")
        page.one("#file").send_keys(path)
        page.wait(lambda: page.all("#reading .block"), "the document is shown")
        found = page.run("""
          return [...document.querySelectorAll("#reading .block")].map((one) =>
            [one.localName, ...["quoted", "item", "row", "code"].filter((name) => one.classList.contains(name))].join(" "));""")
        need(found == wanted, f"{name}: {found}")
    need(page.one("#reading").get_attribute("lang") == "de", "the language is not declared")
