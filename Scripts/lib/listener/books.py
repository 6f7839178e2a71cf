"""Makes audiobooks of whole books in five languages, and transcribes three random minutes of each.

The books are Debian packages: EPUBs, and HTML books whose pages become the chapters of an EPUB. All links, notes, tables and marks of
the pages stay as they are."""

import hashlib
import html
import json
import os
import random
import re
import subprocess
import zipfile

from listener import hearing, packages, people
from listener.host import PROGRAM, Host

FOLDER = os.path.join(packages.FOLDER, "books")
DOC = "usr/share/doc/"
# Language, name, package, and the EPUB or the first page of the book.
BOOKS = [
    ("en", "policy", "debian-policy", DOC + "debian-policy/policy.epub"),
    ("en", "reference", "developers-reference", "usr/share/developers-reference/developers-reference.epub"),
    ("de", "reference", "developers-reference-de", "usr/share/developers-reference/de/developers-reference.epub"),
    ("fr", "reference", "developers-reference-fr", "usr/share/developers-reference/fr/developers-reference.epub"),
    ("it", "reference", "developers-reference-it", "usr/share/developers-reference/it/developers-reference.epub"),
    *((language, "aptitude", f"aptitude-doc-{language}", f"{DOC}aptitude/html/{language}/index.html") for language in ("en", "es", "it")),
    *((language[:2], "handbook", "debian-handbook", f"{DOC}debian-handbook/html/{language}/index.html")
      for language in ("en-US", "de-DE", "es-ES", "fr-FR", "it-IT")),
    *((language, "guide", f"maint-guide-{language}", f"{DOC}maint-guide-{language}/html/index.{language}.html")
      for language in ("de", "es", "fr")),
    *((language, "faq", f"debian-faq-{language}", f"{DOC}debian/FAQ/{language}/index.{language}.html") for language in ("de", "fr", "it")),
    ("es", "overview", "debian-reference-es", "usr/share/debian-reference/index.es.html"),
]
MINUTES = 3
# Words that suggest that markup was read aloud, and numbers in digits, are shown with the words around them.
MARKS = re.compile(
    r"\b(asterisk|asterisco|astérisque|sternchen|underscore|backslash|bracket|klammer|crochet|parenthesis|hashtag|page|seite|página|pagina|\d+)\b",
    re.I)


def run(languages):
    """Prints the chapters of each book, and the transcripts. Returns whether all chapters are present, in order and with their names."""
    packages.prepare(is_long=True)
    good = True
    with Host() as host:
        for language, name, package, place in BOOKS:
            if language in languages:
                good = listen(host, language, name, package, place) and good
    return good


def listen(host, language, name, package, place):
    people.unpack(package)
    path = os.path.join(people.FOLDER, place)
    names = None
    if path.endswith(".html"):
        path, names = pack(path, language, name)
    expected = names or contents(path)
    book = json.loads(host.run("book", path, "--json").split("\n")[0])
    found = [plain(chapter["title"]) for chapter in book["chapters"]]
    missing, position = [], 0
    for title in expected:
        if title in found[position:]:
            position = found.index(title, position) + 1
        else:
            missing.append(title)
    words = sum(chapter["words"] for chapter in book["chapters"])
    print(f"\n# {language} {name}: {len(found)} chapters, {words} words; {len(expected)} expected, missing: {missing or 'none'}", flush=True)
    cuts = minutes(host, path, language, name, book["chapters"])
    model = hearing.TINY if language == "en" else hearing.BASE
    for (chapter, cut), text in zip(cuts, hearing.heard(model, [cut for _, cut in cuts], language)):
        print(f"## chapter {chapter}\n{text}\nnumbers and marks: {', '.join(around(text)) or 'none'}", flush=True)
    return not missing


def around(text):
    return [text[max(0, found.start() - 20):found.end() + 12] for found in MARKS.finditer(text)]


def minutes(host, path, language, name, chapters):
    """Makes the audio of random chapters, and cuts a random minute out of each. Returns the chapters' numbers and the files."""
    os.makedirs(FOLDER, exist_ok=True)
    chance = random.Random(f"{language} {name}")
    long = [chapter for chapter in chapters if 90 < chapter["seconds"] < 3000] or chapters
    cuts = []
    for chapter in sorted(chance.sample(long, min(MINUTES, len(long))), key=lambda each: each["number"]):
        number = chapter["number"]
        # Do not reuse audio from an earlier build.
        cut = os.path.join(FOLDER, f"{language}-{name}-{number}-{int(os.path.getmtime(PROGRAM))}.wav")
        start = chance.uniform(0, max(0, chapter["seconds"] * 0.8 - 60))
        if not os.path.exists(cut):
            whole = host.home.file(f"{language}-{name}-{number}.wav")
            host.run("book", path, "-e", "espeak-ng", "--chapters", str(number), "-q", "--loudness", "off", "-o", whole)
            subprocess.run(
                ["ffmpeg", "-v", "error", "-y", "-ss", str(start), "-t", "60", "-i", whole, "-ac", "1", "-ar", "16000", cut], check=True)
            os.remove(whole)
        cuts.append((number, cut))
    return cuts


def contents(path):
    """Returns the names of the chapters in an EPUB's table of contents, at its two upper levels."""
    with zipfile.ZipFile(path) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".ncx"))
        text = archive.read(name).decode()
    names, depth = [], 0
    for mark, label in re.findall(r"<(navPoint|/navPoint|text>([^<]*))", text.partition("<navMap")[2]):
        depth += (mark == "navPoint") - (mark == "/navPoint")
        title = plain(html.unescape(label))
        # Sphinx lists the page of a chapter a second time, below the chapter.
        if mark.startswith("text") and depth <= 2 and [title] != names[-1:]:
            names.append(title)
    return names


def plain(title):
    """Returns a title without its number, for comparison."""
    return re.sub(r"^(\W*\d[\d.]*|chapter \w+\.|capítulo \w+\.|kapitel \w+\.|chapitre \w+\.|capitolo \w+\.)\W*", "", " ".join((title or "").split()), flags=re.I).casefold()


def pack(index, language, name):
    """Returns an EPUB of an HTML book, and the names of its chapters."""
    folder = os.path.dirname(index)
    with open(index, encoding="utf-8") as file:
        first = file.read()
    pages = []
    for link in re.findall(r'href="([\w.-]+\.html)"', first):
        if link not in pages and link != os.path.basename(index) and os.path.exists(os.path.join(folder, link)):
            pages.append(link)
    pages.insert(0, os.path.basename(index))
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, f"{language}-{name}.epub")
    title = titled(first)
    items, names = [], []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
                         '<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
        for page in pages:
            with open(os.path.join(folder, page), "rb") as file:
                content = file.read()
            archive.writestr(page, content)
            items.append(page)
            names.append(titled(content.decode("utf-8", "replace")))
        links = "".join(f'<li><a href="{page}">{html.escape(each)}</a></li>' for page, each in zip(items, names))
        archive.writestr("nav.xhtml", '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>'
                         f'<body><nav epub:type="toc"><ol>{links}</ol></nav></body></html>')
        manifest = "".join(f'<item id="p{number}" href="{page}" media-type="application/xhtml+xml"/>' for number, page in enumerate(items))
        spine = "".join(f'<itemref idref="p{number}"/>' for number in range(len(items)))
        identifier = hashlib.sha256(path.encode()).hexdigest()[:32]
        archive.writestr("book.opf", '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc='
                         f'"http://purl.org/dc/elements/1.1/"><dc:identifier id="id">{identifier}</dc:identifier><dc:title>{html.escape(title)}'
                         f'</dc:title><dc:language>{language}</dc:language></metadata><manifest><item id="nav" properties="nav" href="nav.xhtml" '
                         f'media-type="application/xhtml+xml"/>{manifest}</manifest><spine>{spine}</spine></package>')
    return path, [plain(each) for each in names]


def titled(page):
    found = re.search(r"<title[^>]*>(.*?)</title>", page, re.S | re.I)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", found[1])).split()) if found else ""
