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
# The maximum number of bytes that a browser may load before speech starts.
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
    told("shows commands for curl that work", lambda: saving.curl(page))
    told("shows Python code that works", lambda: saving.python(page))
    told("shows the command for synthhost", lambda: saving.command(page))
    told("shows the progress of saving a long file, and cancels it", lambda: saving.cancelled(page))
    told("opens a text of a megabyte, and synthesizes only a little in advance", lambda: files.large(page))
    told("reads typed Markdown without its markup", lambda: files.typed(page))
    told("opens a file that is dropped on the text", lambda: files.drop(page))
    told("announces that a file is open, and hides the error of another file", lambda: files.announces(page))
    told("reports that a file is too large, and does not send it", lambda: files.too_long(page))
    told("reports scanned pages and missing files of a document", lambda: files.gaps(page))
    told("opens Markdown and HTML with their structure", lambda: books.formats(page))
    book(page)
    told("seeks to any position with the time slider", lambda: reading.timeline(page))
    told("follows the speech until the user scrolls, and returns with one button", lambda: reading.following(page))
    told("handles the space bar and the arrow keys outside text fields", lambda: reading.keys(page))
    told("shows the speech in the system's media controls", lambda: reading.media(page))
    told("has a sleep timer", lambda: reading.sleeps(page))
    told("reports a failed sentence, and continues with the next sentence", lambda: reading.broken(page, outside))
    told("reports that the service does not respond, and reconnects by itself", lambda: voices.away(page, outside))
    told("removes a voice after confirmation", lambda: voices.remove(page))
    told("downloads a missing voice before it speaks, and can cancel the download", lambda: first.leave_missing(page, outside))
    told("speaks with the voice once it is installed", lambda: first.speak_missing(page))
    told("works with the keyboard alone", lambda: reading.keyboard(page))
    told("reaches all voices with the keyboard alone", lambda: reading.keyboard_list(page))
    told("animates nothing if the user prefers reduced motion", lambda: reading.calm(page))
    told("reads in a browser that does not support highlights and caret positions", lambda: plain(page, reading.click_sentence))
    told("finds each clicked character in a browser that does not support caret positions", lambda: letters(page))
    for width, height in [(360, 640), (320, 640), (3840, 2160)]:
        page.size(width, height)
        told(f"does not scroll horizontally at {width} pixels", lambda: page.is_narrow())
    page.size(1280, 800)
    for name, features in [("dark", {"prefers_color_scheme": "dark"}), ("forced", {"forced_colors": "active"}),
                           ("calm", {"prefers_reduced_motion": "reduce"})]:
        page.media(**features)
        told(f"has no serious axe violations with the setting {name}", lambda: page.faults() or None)
        page.picture(f"page-{name}")
    page.media()
    told("changes and stores its appearance", lambda: look(page))
    told("is available in German", lambda: german(page))
    told("reads and tunes voices on this machine without the token", lambda: reads_untrusted(page))
    told("asks users without the token for it", lambda: stranger(page))
    last(page, told)


def lasting(page, _):
    """Checks that no state is lost and work continues if the page is reloaded, hidden or opened twice."""
    told = Told()
    page.size(1280, 800)
    page.open()
    told("works while the browser loads the last text", lambda: kept.late_store(page))
    told("stores a text even if the database opens only after the timeout", lambda: kept.later_store(page))
    told("is not blocked by an earlier page that the user left while it was creating the database", lambda: kept.left_early(page))
    told("does not undo the changes of another page", lambda: kept.two_pages(page))
    told("stores the position while it is hidden", lambda: kept.unseen(page))
    told("reports why the first speech failed", lambda: kept.fails_at_once(page))
    told("skips audio that cannot be played", lambda: kept.passes_over(page))
    told("accepts the link while it is already open", lambda: kept.link_again(page))
    last(page, told)


def transcribes(page, outside):
    """Checks the transcription screen, with a new home folder."""
    told = Told("page that transcribes")
    page.size(1280, 800)
    told("loads no code of the transcription screen before the screen is opened", lambda: transcribing.lazy(page))
    told("shows the size of the model, and downloads it with a progress bar", lambda: transcribing.downloads(page, outside))
    told("shows preliminary text during the speech", lambda: transcribing.records(page))
    told("announces finished sentences and states to screen readers, but no preliminary text", lambda: transcribing.tells(page))
    told("plays the recording from a clicked word", lambda: transcribing.plays(page))
    told("keeps the times of words when the user edits the text", lambda: transcribing.edits(page))
    told("saves the text and subtitles", lambda: transcribing.saves(page))
    told("aligns, splits and times texts correctly", lambda: transcribing.values(page))
    told("transcribes a file that is opened, and one that is dropped", lambda: transcribing.files(page))
    told("transcribes a recording from the browser's recorder, and rejects a truncated one", lambda: transcribing.recorder(page))
    told("stores transcripts, and removes them", lambda: transcribing.keeps(page))
    told("shows a remedy for each failure", lambda: transcribing.fails(page))
    told("keeps a recording if the service stops, and transcribes it later", lambda: transcribing.breaks(page, outside))
    told("records on two pages at the same time", lambda: transcribing.two_pages(page))
    told("transcribes and plays with the keyboard alone", lambda: transcribing.keyboard(page))
    told("reads a transcript aloud", lambda: transcribing.reads(page))
    for width, height in [(390, 844), (320, 640), (640, 400)]:
        page.size(width, height)
        told(f"does not scroll horizontally at {width} pixels", lambda: transcribing.fits(page))
    page.size(1280, 800)
    for name, features in [("dark", {"prefers_color_scheme": "dark"}), ("forced", {"forced_colors": "active"})]:
        page.media(**features)
        told(f"has no serious axe violations with the setting {name}", lambda: page.faults() or None)
        page.picture(f"transcribing-{name}")
    page.media()
    told("is available in German", lambda: transcribing.german(page))
    last(page, told)


def whole(page, outside, width, height):
    """Checks the common uses at one screen size."""
    told = Told(f"page at {width}×{height}")
    page.size(width, height)
    first_run(page, outside)
    book(page)
    told("works with the keyboard alone", lambda: reading.keyboard(page))
    last(page, told)


def last(page, told):
    told("logs no errors to the console", lambda: errors(page))
    told("sends no requests to other servers", lambda: page.asked_elsewhere() or True)


def first_run(page, outside):
    """Checks the first steps of a new user, with a new home folder and at any screen size."""
    told = Told(f"page at {page.width}×{page.height}")
    told("opens without an error, and keeps no token in the address", lambda: first.first(page))
    told("loads less than 150 kB", lambda: weight(page))
    told("offers one recommended voice", lambda: first.callout(page))
    told("offers to paste a text, to open one and to play a sample", lambda: first.start(page))
    told("leaves room for a text, and can hide the offer", lambda: first.room(page))
    told("keeps the player usable below every sheet", lambda: sheets.leave_player(page))
    told("keeps the text visible while the user changes its appearance", lambda: sheets.look_leaves_text(page))
    told("has no touch targets that are too small", lambda: sheets.rows_are_tall(page))
    first.clear(page)
    told("has no serious axe violations at the first run", lambda: page.faults() or None)
    page.picture("first")
    told("has a label for every control", lambda: first.names(page))
    told("does not scroll horizontally", lambda: page.is_narrow())
    told("has a player as wide as the window", lambda: player.spans(page))
    told("does not scroll horizontally at 320 pixels", lambda: first.at_320(page))
    told("shows the play button and the voice on a phone without scrolling", lambda: first.in_sight(page))
    told("speaks after one tap", lambda: first.sounds_by_one_tap(page))
    told("shows the progress of a download, and cancels it", lambda: first.cancel(page, outside))
    told("reports why a download failed, and tries again", lambda: first.retry(page, outside))
    told("plays a preview of a voice after two taps", lambda: voices.preview(page))
    told("downloads another voice and plays its preview after two taps", lambda: voices.new_voice(page))
    told("lists the selected voice first", lambda: voices.order(page))
    told("finds voices by typing, and plays a preview with Enter", lambda: voices.find(page))
    told("shows all voices by language", lambda: voices.by_language(page))
    told("has no serious axe violations with the list open", lambda: page.faults() or None)
    page.picture("voices")
    told("tunes a voice, plays a preview at once, and saves the settings", lambda: voices.tune(page))
    told("marks a voice as a favorite, and hides it", lambda: voices.mark(page))
    told("has no serious axe violations with the details open", lambda: (voices.details(page), page.faults())[1] or None)
    page.shut()
    told("speaks the text, and marks each word", lambda: reading.speak(page))
    told("marks the next sentence at once, shows that audio is loading, and keeps the mark during a pause", lambda: reading.marks_at_once(page))
    told("pauses, continues, and seeks by sentence and by ten seconds", lambda: reading.seek(page))
    told("has no serious axe violations while it reads", lambda: page.faults() or None)
    told("does not scroll horizontally while it reads", lambda: page.is_narrow())
    page.picture("reading")
    told("reads from a clicked sentence", lambda: reading.click_sentence(page))
    told("continues after quick seeking, and does not go back beyond the beginning", lambda: reading.hasty(page))
    told("reads faster without synthesizing again", lambda: reading.faster(page))
    told("saves audio files in four formats, and subtitles", lambda: saving.save(page))
    told("restores everything after a reload", lambda: reload(page))


def book(page):
    told = Told(f"page at {page.width}×{page.height}, a book of 300 pages")
    facts = {}
    told("is shown" if books.IS_BUSY else "is shown in less than a second", lambda: books.opens(page, facts))
    told("scrolls" if books.IS_BUSY else "scrolls at 50 frames per second", lambda: books.scrolls(page, facts))
    told("uses less than 300 MB", lambda: books.memory(page, facts))
    told("shows its table of contents in a sheet", lambda: books.contents(page))
    told("has a time slider for the chapter", lambda: books.chapter(page))
    told("has no serious axe violations", lambda: page.faults() or None)
    told("reopens at the last position", lambda: books.remembers(page))
    told("can be removed from the list", lambda: books.forgets(page))
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
    """Takes screenshots of everything that users see, at each size, in the light and the dark scheme."""
    path = os.path.join(page.downloads, "lamp.epub")
    books.write(path)
    for width, height in SIZES:
        told = Told(f"page at {width}×{height}")
        page.size(width, height)
        for scheme in ["light", "dark"]:
            page.media(prefers_color_scheme=scheme)
            told(f"looks right in the {scheme} scheme at each step", lambda: shots.steps(page, outside, scheme, path))
    page.media()
    last(page, Told("page at all sizes"))


def weight(page):
    sizes = page.run("""
      return ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
        .filter((entry) => entry.name.includes("/page/") || entry.entryType === "navigation")
        .map((entry) => [new URL(entry.name).pathname, entry.decodedBodySize]);""")
    total = sum(size for _, size in sizes)
    note(page, {"bytes of the page": total, "files of the page": len(sizes)})
    need(len(sizes) > 30 and 0 < total < HEAVIEST, f"the page has {total} bytes in {len(sizes)} files")


def look(page):
    page.open(page.origin)
    page.sheet("look")
    ground = lambda: page.run("return getComputedStyle(document.body).backgroundColor")
    light = ground()
    for fieldset, value in [("scheme", "sepia"), ("scheme", "dark"), ("face", "serif")]:
        page.run(f"document.querySelector('#{fieldset} input[value=\"{value}\"]').click()")
        need(ground() != light, f"the background of {value} is as light as before")
        need(not page.faults(), f"{value}: {page.faults()}")
    for _ in range(3):
        page.one("#larger").click()
    need(ground() != light, "the background is still light")
    size = page.run("return getComputedStyle(document.getElementById('text')).fontSize")
    need(float(size[:-2]) > 22, size)
    page.open(page.origin)
    need(ground() != light and "Palatino" in page.run("return getComputedStyle(document.getElementById('text')).fontFamily"), "the appearance was not stored")
    page.sheet("look")
    for fieldset, value in [("scheme", "system"), ("face", "sans")]:
        page.run(f"document.querySelector('#{fieldset} input[value=\"{value}\"]').click()")
    for _ in range(3):
        page.one("#smaller").click()
    need("100" in page.text("#size-shown"), page.text("#size-shown"))
    page.shut()
    need(ground() == light, "the background stays dark")


def reload(page):
    kept.keeps(page, TEXT)
    need("token" not in page.run("return JSON.stringify(localStorage)"), "the token is stored")
    page.open(page.origin)
    need(page.speaker() == "Tern", "another voice is selected")
    page.wait(lambda: page.run(kept.FIELD) == TEXT, "the text is restored")
    need(page.text("#tempo-shown") == "1.5×", page.text("#tempo-shown"))


def german(page):
    page.run("const m = document.getElementById('page-language'); m.value = 'de'; m.dispatchEvent(new Event('change'))")
    page.wait(lambda: page.all("#speak") and page.label("#speak") == "Vorlesen", "the page is in German")
    need(page.run("return document.documentElement.lang") == "de", "the page does not declare its language")
    page.picture("page-german")


def errors(page):
    # The browser logs error responses; the checks provoke some.
    noted = [entry["message"] for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]
    need(not [message for message in noted if "Failed to load resource" not in message and "ERR_" not in message], noted)


if __name__ == "__main__":
    main()
