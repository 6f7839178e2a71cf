"""Tests the page with Chromium, and prints the result of each check as a JSON object on its own line.

Usage: page_browser.py WALK LINK CONTROL PICTURES

WALK is one of wide, small, narrow, tablet, large, sizes, kept, transcribing, shut.
"""

import json
import os
import sys
import urllib.request

import page_books as books
import page_files as files
import page_first as first
import page_kept as kept
import page_player as player
import page_reading as reading
import page_saving as saving
import page_sheets as sheets
import page_shots as shots
import page_transcribing as transcribing
import page_voices as voices
from page_access import reads_untrusted, shut, stranger
from page_driver import LIMIT, Page, Told, need
from page_letters import letters, plain
from page_texts import SIZES, TEXT

WHOLE = {"small": (360, 640), "narrow": (390, 844), "tablet": (820, 1180), "large": (2560, 1440)}
# The most bytes that a browser may load before speech starts.
HEAVIEST = 150_000


def main():
    walk, link, control, pictures = sys.argv[1:]
    outside = lambda path: urllib.request.urlopen(control + path, timeout=3 * LIMIT).close()
    page = Page(link, pictures, os.path.join(os.environ["HOME"], "talk.wav") if walk == "transcribing" else None)
    try:
        {"wide": wide, "sizes": sizes, "kept": lasting, "transcribing": transcribes, "shut": shut}.get(walk, lambda *_: whole(page, outside, *WHOLE[walk]))(page, outside)
    finally:
        page.close()


def wide(page, outside):
    told = Told()
    page.size(1280, 800)
    first_run(page, outside)
    told("has lines for curl that work", lambda: saving.curl(page))
    told("has lines for Python that work", lambda: saving.python(page))
    told("has a line for the command", lambda: saving.command(page))
    told("shows the share of a long file that is made, and cancels it", lambda: saving.cancelled(page))
    told("opens a text of a megabyte, and speaks it a little ahead only", lambda: files.large(page))
    told("reads a typed text in Markdown without its marks", lambda: files.typed(page))
    told("takes a file that is dropped on the text", lambda: files.drop(page))
    told("announces that a file is open, and forgets the alarm of another one", lambda: files.announces(page))
    told("says that a file is too long, and does not send it", lambda: files.too_long(page))
    told("opens Markdown and HTML with what is in them", lambda: books.formats(page))
    book(page)
    told("goes to any place by the line of time", lambda: reading.timeline(page))
    told("follows what it reads until somebody scrolls, and comes back by one button", lambda: reading.following(page))
    told("takes the space and the arrows where nobody types", lambda: reading.keys(page))
    told("tells the system what sounds", lambda: reading.media(page))
    told("becomes silent by itself", lambda: reading.sleeps(page))
    told("says when a speech breaks, and goes on with the next sentence", lambda: reading.broken(page, outside))
    told("says when the service is away, and is back by itself", lambda: voices.away(page, outside))
    told("removes a voice after a question", lambda: voices.remove(page))
    told("downloads the voice first if it must speak with it, or leaves it", lambda: first.leave_missing(page, outside))
    told("speaks with it as soon as it is there", lambda: first.speak_missing(page))
    told("does all of it by the keyboard alone", lambda: reading.keyboard(page))
    told("reaches all voices by the keyboard alone", lambda: reading.keyboard_list(page))
    told("moves nothing for those who want it calm", lambda: reading.calm(page))
    told("reads where a browser has neither highlights nor carets", lambda: plain(page, reading.click_sentence))
    told("finds each letter that is clicked there", lambda: letters(page))
    for width, height in [(360, 640), (320, 640), (3840, 2160)]:
        page.size(width, height)
        told(f"needs no scrolling to the side at {width} pixels", lambda: page.is_narrow())
    page.size(1280, 800)
    for name, features in [("dark", {"prefers_color_scheme": "dark"}), ("forced", {"forced_colors": "active"}),
                           ("calm", {"prefers_reduced_motion": "reduce"})]:
        page.media(**features)
        told(f"has nothing serious for axe if it is {name}", lambda: page.faults() or None)
        page.picture(f"page-{name}")
    page.media()
    told("looks as its reader chooses, and remembers it", lambda: look(page))
    told("speaks German", lambda: german(page))
    told("reads and tunes on this machine without the token", lambda: reads_untrusted(page))
    told("asks for the token of those who come without it", lambda: stranger(page))
    last(page, told)


def lasting(page, _):
    """State that survives, and work that continues, whatever happens to the page."""
    told = Told()
    page.size(1280, 800)
    page.open()
    told("can be used while its browser looks for the last text", lambda: kept.late_store(page))
    told("keeps a text for which its store came too late", lambda: kept.later_store(page))
    told("is held up by no page that was left while it made its store", lambda: kept.left_early(page))
    told("keeps what another page has changed", lambda: kept.two_pages(page))
    told("keeps the place while nobody sees it", lambda: kept.unseen(page))
    told("says why the first speech failed", lambda: kept.fails_at_once(page))
    told("passes over a sound that cannot be played", lambda: kept.passes_over(page))
    told("takes the link where it is open already", lambda: kept.link_again(page))
    last(page, told)


def transcribes(page, outside):
    """The transcription screen, starting with a new home folder."""
    told = Told("page that transcribes")
    page.size(1280, 800)
    told("loads nothing of it before it is opened", lambda: transcribing.lazy(page))
    told("says how large the model is, and downloads it, with its progress", lambda: transcribing.downloads(page, outside))
    told("shows the text while it is spoken, and what may change of it", lambda: transcribing.records(page))
    told("tells finished sentences and states to those who do not see it, and nothing that may change", lambda: transcribing.tells(page))
    told("plays the recording from a word that is clicked", lambda: transcribing.plays(page))
    told("keeps the times of words when the text is rewritten", lambda: transcribing.edits(page))
    told("saves the text and subtitles", lambda: transcribing.saves(page))
    told("aligns, cuts and times texts rightly", lambda: transcribing.values(page))
    told("transcribes a file that is opened, and one that is dropped", lambda: transcribing.files(page))
    told("keeps what was transcribed, and removes it", lambda: transcribing.keeps(page))
    told("says what to do in each failure", lambda: transcribing.fails(page))
    told("keeps a recording whose service went away, and transcribes it later", lambda: transcribing.breaks(page, outside))
    told("records on two pages at once", lambda: transcribing.two_pages(page))
    told("does all of it by the keyboard alone", lambda: transcribing.keyboard(page))
    told("reads a transcript aloud", lambda: transcribing.reads(page))
    for width, height in [(390, 844), (320, 640), (640, 400)]:
        page.size(width, height)
        told(f"needs no scrolling to the side at {width} pixels", lambda: transcribing.fits(page))
    page.size(1280, 800)
    for name, features in [("dark", {"prefers_color_scheme": "dark"}), ("forced", {"forced_colors": "active"})]:
        page.media(**features)
        told(f"has nothing serious for axe if it is {name}", lambda: page.faults() or None)
        page.picture(f"transcribing-{name}")
    page.media()
    told("speaks German", lambda: transcribing.german(page))
    last(page, told)


def whole(page, outside, width, height):
    """The common uses, at one size."""
    told = Told(f"page at {width}×{height}")
    page.size(width, height)
    first_run(page, outside)
    book(page)
    told("does all of it by the keyboard alone", lambda: reading.keyboard(page))
    last(page, told)


def last(page, told):
    told("has no error in its console", lambda: errors(page))
    told("asks no other server for anything", lambda: page.asked_elsewhere() or True)


def first_run(page, outside):
    """The first steps of a new user, with a new home folder and at any size."""
    told = Told(f"page at {page.width}×{page.height}")
    told("opens without an error, and keeps no token in the address", lambda: first.first(page))
    told("weighs less than 150 kB", lambda: weight(page))
    told("offers one voice to begin with", lambda: first.callout(page))
    told("is a place for a text: to paste one, to open one, to hear a sample", lambda: first.start(page))
    told("leaves room for a text, and puts the offer away", lambda: first.room(page))
    told("leaves the player in use below every sheet", lambda: sheets.leave_player(page))
    told("leaves the text in sight whose look is chosen", lambda: sheets.look_leaves_text(page))
    told("has no small rows", lambda: sheets.rows_are_tall(page))
    first.clear(page)
    told("has nothing serious for axe at the first run", lambda: page.faults() or None)
    page.picture("first")
    told("has a name for everything that can be used", lambda: first.names(page))
    told("needs no scrolling to the side", lambda: page.is_narrow())
    told("has a player from one side of the window to the other", lambda: player.spans(page))
    told("needs no scrolling to the side at 320 pixels", lambda: first.at_320(page))
    told("shows on a phone how to speak, and who, without scrolling", lambda: first.in_sight(page))
    told("sounds after one tap", lambda: first.sounds_by_one_tap(page))
    told("shows how far a download is, and cancels it", lambda: first.cancel(page, outside))
    told("says why a download failed, and tries again", lambda: first.retry(page, outside))
    told("lets a voice be heard by two taps", lambda: voices.preview(page))
    told("downloads another voice and lets it be heard by two", lambda: voices.new_voice(page))
    told("lists the voice that speaks first", lambda: voices.order(page))
    told("finds voices by typing, and hears one by Enter", lambda: voices.find(page))
    told("shows all voices by language", lambda: voices.by_language(page))
    told("has nothing serious for axe with the list open", lambda: page.faults() or None)
    page.picture("voices")
    told("tunes a voice, which is heard at once and kept", lambda: voices.tune(page))
    told("marks a voice as favourite, and hides it", lambda: voices.mark(page))
    told("has nothing serious for axe with the details open", lambda: (voices.details(page), page.faults())[1] or None)
    page.shut()
    told("speaks the text, and marks each word", lambda: reading.speak(page))
    told("marks what it will read at once, turns a ring while it loads, and keeps the mark while it pauses", lambda: reading.marks_at_once(page))
    told("pauses, goes on, and seeks by sentence and by ten seconds", lambda: reading.seek(page))
    told("has nothing serious for axe while it reads", lambda: page.faults() or None)
    told("needs no scrolling to the side while it reads", lambda: page.is_narrow())
    page.picture("reading")
    told("reads from a sentence that is clicked", lambda: reading.click_sentence(page))
    told("goes on however quickly somebody seeks, and goes back no further than the beginning", lambda: reading.hasty(page))
    told("reads faster without speaking anew", lambda: reading.faster(page))
    told("saves files of sound in four formats, and subtitles", lambda: saving.save(page))
    told("remembers everything after a reload", lambda: reload(page))


def book(page):
    told = Told(f"page at {page.width}×{page.height}, a book of 300 pages")
    facts = {}
    told("is shown" if books.IS_BUSY else "is shown in less than a second", lambda: books.opens(page, facts))
    told("scrolls" if books.IS_BUSY else "scrolls at 50 frames in a second", lambda: books.scrolls(page, facts))
    told("takes less than 300 MB", lambda: books.memory(page, facts))
    told("has its contents in a sheet", lambda: books.contents(page))
    told("has a line of time for the chapter", lambda: books.chapter(page))
    told("has nothing serious for axe", lambda: page.faults() or None)
    told("is read on where it was left", lambda: books.remembers(page))
    told("can be forgotten", lambda: books.forgets(page))
    note(page, facts)


def note(page, facts):
    """Records a measurement for later inspection."""
    path = os.path.join(page.pictures, "facts.json")
    known = {}
    if os.path.exists(path):
        with open(path) as file:
            known = json.load(file)
    known.setdefault(f"{page.width}×{page.height}", {}).update(facts)
    with open(path, "w") as file:
        json.dump(known, file, ensure_ascii=False, indent=2)


def sizes(page, outside):
    """Pictures of everything that users see, at each size, light and dark."""
    path = os.path.join(page.downloads, "lamp.epub")
    books.write(path)
    for width, height in SIZES:
        told = Told(f"page at {width}×{height}")
        page.size(width, height)
        for scheme in ["light", "dark"]:
            page.media(prefers_color_scheme=scheme)
            told(f"is itself in the {scheme} at each step", lambda: shots.steps(page, outside, scheme, path))
    page.media()
    last(page, Told("page in all sizes"))


def weight(page):
    sizes = page.run("""
      return ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
        .filter((entry) => entry.name.includes("/page/") || entry.entryType === "navigation")
        .map((entry) => [new URL(entry.name).pathname, entry.decodedBodySize]);""")
    total = sum(size for _, size in sizes)
    note(page, {"bytes of the page": total, "files of the page": len(sizes)})
    need(len(sizes) > 30 and 0 < total < HEAVIEST, f"{total} bytes in {len(sizes)} files")


def look(page):
    page.open(page.origin)
    page.sheet("look")
    ground = lambda: page.run("return getComputedStyle(document.body).backgroundColor")
    light = ground()
    for fieldset, value in [("scheme", "sepia"), ("scheme", "dark"), ("face", "serif")]:
        page.run(f"document.querySelector('#{fieldset} input[value=\"{value}\"]').click()")
        need(ground() != light, f"{value} is as light as before")
        need(not page.faults(), f"{value}: {page.faults()}")
    for _ in range(3):
        page.one("#larger").click()
    need(ground() != light, "it is still light")
    size = page.run("return getComputedStyle(document.getElementById('text')).fontSize")
    need(float(size[:-2]) > 22, size)
    page.open(page.origin)
    need(ground() != light and "Palatino" in page.run("return getComputedStyle(document.getElementById('text')).fontFamily"), "it is forgotten")
    page.sheet("look")
    for fieldset, value in [("scheme", "system"), ("face", "sans")]:
        page.run(f"document.querySelector('#{fieldset} input[value=\"{value}\"]').click()")
    for _ in range(3):
        page.one("#smaller").click()
    need("100" in page.text("#size-shown"), page.text("#size-shown"))
    page.shut()
    need(ground() == light, "it stays dark")


def reload(page):
    kept.keeps(page, TEXT)
    need("token" not in page.run("return JSON.stringify(localStorage)"), "a token is kept")
    page.open(page.origin)
    need(page.speaker() == "Tern", "the voice is another one")
    page.wait(lambda: page.run(kept.FIELD) == TEXT, "the text is the same one")
    need(page.text("#tempo-shown") == "1.5×", page.text("#tempo-shown"))


def german(page):
    page.run("const m = document.getElementById('page-language'); m.value = 'de'; m.dispatchEvent(new Event('change'))")
    page.wait(lambda: page.all("#speak") and page.label("#speak") == "Vorlesen", "it is German")
    need(page.run("return document.documentElement.lang") == "de", "its language is told")
    page.picture("page-german")


def errors(page):
    # The browser logs error responses; the checks provoke some.
    noted = [entry["message"] for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]
    need(not [message for message in noted if "Failed to load resource" not in message and "ERR_" not in message], noted)


if __name__ == "__main__":
    main()
