"""Uses the page with Chromium, and tells what it found: an object of JSON for each check, on a line of its own.

Usage: page_browser.py WALK LINK CONTROL PICTURES

WALK is one of wide, narrow, shut.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request

from page_access import reads_untrusted, shut, stranger
from page_driver import LIMIT, Page, Told, need
from page_files import drop, large, too_long
from page_letters import letters, marked, plain
from page_texts import LONG, TEXT
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


def main():
    walk, link, control, pictures = sys.argv[1:]
    outside = lambda path: urllib.request.urlopen(control + path, timeout=LIMIT).close()
    page = Page(link, pictures)
    try:
        {"wide": wide, "narrow": narrow, "shut": shut}[walk](page, outside)
    finally:
        page.close()


def wide(page, outside):
    told = Told()
    page.size(1280, 800)
    first_run(page, outside)
    told("has lines for curl that work", lambda: curl(page))
    told("has lines for Python that work", lambda: python(page))
    told("opens a file of a megabyte, and speaks it a little ahead only", lambda: large(page))
    told("takes a file that is dropped on the text", lambda: drop(page))
    told("says that a file is too long, and does not read it", lambda: too_long(page))
    told("says when a speech breaks, and goes on with the next sentence", lambda: broken(page, outside))
    told("says when the service is away, and is back by itself", lambda: away(page, outside))
    told("removes a voice after a question", lambda: remove(page))
    told("downloads the voice first if it must speak with it", lambda: speak_missing(page))
    told("does all of it by the keyboard alone", lambda: keyboard(page))
    told("reaches all voices by the keyboard alone", lambda: keyboard_list(page))
    told("moves nothing for those who want it calm", lambda: calm(page))
    told("reads where a browser has neither highlights nor carets", lambda: plain(page, click_sentence))
    told("finds each letter that is clicked there", lambda: letters(page))
    for width, height in [(360, 640), (320, 640), (3840, 2160)]:
        page.size(width, height)
        told(f"needs no scrolling to the side at {width} pixels", lambda: page.is_narrow())
        page.picture("page")
    page.size(1280, 800)
    for name, features in [("dark", {"prefers_color_scheme": "dark"}), ("forced", {"forced_colors": "active"}),
                           ("calm", {"prefers_reduced_motion": "reduce"})]:
        page.media(**features)
        told(f"has nothing serious for axe if it is {name}", lambda: page.faults() or None)
        page.picture(f"page-{name}")
    page.media()
    told("speaks German", lambda: german(page))
    told("reads and tunes on this machine without the token", lambda: reads_untrusted(page))
    told("asks for the token of those who come without it", lambda: stranger(page))
    last(page, told)


def narrow(page, outside):
    told = Told("page at 360×640")
    page.size(360, 640)
    first_run(page, outside)
    told("does all of it by the keyboard alone", lambda: keyboard(page))
    last(page, told)


def last(page, told):
    told("has no error in its console", lambda: errors(page))
    told("asks no other server for anything", lambda: page.asked_elsewhere() or True)


def first_run(page, outside):
    """What somebody does who begins, on a fresh home and at any size."""
    told = Told(f"page at {page.width}×{page.height}")
    told("opens without an error, and keeps no token in the address", lambda: first(page))
    told("offers one voice to begin with", lambda: callout(page))
    told("has nothing serious for axe at the first run", lambda: page.faults() or None)
    page.picture("first")
    told("has a name for everything that can be used", lambda: names(page))
    told("needs no scrolling to the side", lambda: page.is_narrow())
    told("needs no scrolling to the side at 320 pixels", lambda: at_320(page))
    told("shows on a phone how to speak, and who, before any list", lambda: in_sight(page))
    told("shows how far a download is, and cancels it", lambda: cancel(page, outside))
    told("says why a download failed, and tries again", lambda: retry(page, outside))
    told("lets a voice be heard by a click", lambda: click_preview(page))
    told("finds voices by typing, and hears one by Enter", lambda: find(page))
    told("shows all voices by language", lambda: by_language(page))
    told("has nothing serious for axe with the list open", lambda: page.faults() or None)
    told("tunes a voice, which is heard at once and kept", lambda: tune(page))
    told("speaks the text, and marks each word", lambda: speak(page))
    told("pauses, goes on, and seeks by sentence and by ten seconds", lambda: seek(page))
    told("has nothing serious for axe while it reads", lambda: page.faults() or None)
    told("needs no scrolling to the side while it reads", lambda: page.is_narrow())
    page.picture("reading")
    told("reads from a sentence that is clicked", lambda: click_sentence(page))
    told("goes on however quickly somebody seeks, and goes back no further than the beginning", lambda: hasty(page))
    told("reads faster without speaking anew", lambda: faster(page))
    told("saves a file of sound", lambda: save(page))
    told("remembers everything after a reload", lambda: reload(page))


def first(page):
    page.open()
    need("token" not in page.browser.current_url, page.browser.current_url)
    need(page.run("return document.cookie") == "", "a script can read the cookie")


def callout(page):
    need(page.text("#callout-title") == "Download a voice to get started", page.text("#callout-title"))
    need(len(page.shown("#callout button")) == 1, "there must be one button")
    need(len(page.shown("#suggested .row")) <= 6, "there are more than five starters and the voice that speaks")


def cancel(page, outside):
    outside("/slow")
    page.one("#callout button").click()
    page.wait(lambda: "MB of" in page.row("Tern").text or "kB of" in page.row("Tern").text, "bytes are counted")
    page.picture("download")
    page.button(page.row("Tern"), "Cancel").click()
    page.wait(lambda: "Not downloaded" in page.row("Tern").text, "it is cancelled")
    outside("/fast")


def retry(page, outside):
    outside("/fail")
    page.button(page.row("Tern"), "Download").click()
    page.wait(lambda: page.row("Tern").find_elements(By.CSS_SELECTOR, ".problem"), "it fails")
    need(len(page.row("Tern").find_element(By.CSS_SELECTOR, ".problem").text) > 20, "the reason is told")
    outside("/mend")
    page.button(page.row("Tern"), "Try again").click()
    page.wait(lambda: "Ready" in page.row("Tern").text, "it is ready")
    page.wait(lambda: not page.shown("#callout"), "the callout is gone")


USED = {"button", "radio", "checkbox", "slider", "textbox", "searchbox", "combobox", "DisclosureTriangle", "region"}


def names(page):
    nodes = page.command("Accessibility.getFullAXTree")["nodes"]
    nodes = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    roles = [role for role, _ in nodes]
    need(roles.count("main") == 1 and "banner" in roles and roles.count("heading") >= 6, roles)
    used = [(role, name) for role, name in nodes if role in USED]
    need(len(used) > 15, used)
    need(not [role for role, name in used if not name.strip()], f"without a name: {used}")


def at_320(page):
    before = page.width, page.height
    page.size(320, 640)
    page.picture("first")
    fits = page.is_narrow()
    page.size(*before)
    return fits


def in_sight(page):
    before = page.width, page.height
    for size in [(390, 844), (360, 640)]:
        page.size(*size)
        page.run("scrollTo(0, 0)")
        page.picture("first")
        speak, speaker, row = (page.run(
            f"const b = document.querySelector('{what}').getBoundingClientRect(); return [b.top, b.bottom]")
            for what in ["#speak", "#speaker", ".row"])
        need(0 < speak[0] and speak[1] <= size[1] and speaker[1] <= size[1], f"{size}: {speak}, {speaker}")
        need(row[0] > speak[1], f"{size}: a voice at {row} stands before {speak}")
    need(page.text("#speaker").startswith("with ") and len(page.text("#speaker")) > 7, page.text("#speaker"))
    page.size(*before)


def heard(page):
    return page.run("return window.heard.length")


def click_preview(page):
    before = heard(page)
    page.row("Tern").find_element(By.CSS_SELECTOR, ".name").click()
    page.wait(lambda: heard(page) > before, "it was heard to its end")
    need(page.run("return window.heard.at(-1)") > 0.5, "it is a sentence")
    need(page.text("#tuning-title") == "Tune Tern (American)", page.text("#tuning-title"))


def find(page):
    page.one("#filter").send_keys("american ter")
    page.wait(lambda: len(page.shown("#found .row")) == 1, "one is found")
    before = heard(page)
    page.one("#found input[type=radio]").send_keys(Keys.ENTER)
    page.wait(lambda: heard(page) > before, "it was heard")
    page.one("#filter").clear()
    page.one("#filter").send_keys(" ", Keys.BACKSPACE)
    page.wait(lambda: page.shown("#suggested .row"), "the list is back")


def by_language(page):
    page.one("#all-title").click()
    groups = page.shown("#all-groups summary")
    need(len(groups) > 50, f"{len(groups)} languages")
    german = next(group for group in groups if group.text.startswith("German"))
    german.click()
    page.wait(lambda: any("German" in row.text for row in page.shown("#all-groups .row")), "its voices are shown")


def tune(page):
    before = heard(page)
    page.one("#rate").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: heard(page) > before, "it was heard")
    page.wait(lambda: "profile" in page.text("#tuning-note"), "it is kept")
    with urllib.request.urlopen(page.origin + "api/voices?key=piper/en_US-tern-x_low") as answer:
        rate = json.load(answer)["profile"]["rate"]
    need(abs(rate - 1.2) < 0.001, rate)
    page.one("#tuning-reset").click()
    page.wait(lambda: page.text("#rate-value") == "1", "it is as before")


def speak(page):
    page.type(TEXT)
    page.run("window.words = []; window.heard = []")
    page.one("#speak").click()
    page.wait(lambda: page.shown("#reading"), "it reads")
    page.wait(lambda: not page.shown("#reading"), "it has read to the end")
    wanted = [word.strip(".!?") for word in TEXT.split()]
    found = [word.strip(".!?") for word in page.run("return window.words")]
    missing = [word for word in wanted if word not in found]
    need(len(missing) <= 1 and found == sorted(found, key=wanted.index), f"{found}")
    need(heard(page) >= 3, "three sentences were heard")


def seek(page):
    page.type(LONG)
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.words.includes('1')"), "it reads")
    page.one("#pause").click()
    need(page.label("#pause") == "Go on", page.label("#pause"))
    # While nothing goes on: each question takes the browser a moment.
    for button in page.shown("#controls button.icon"):
        name = button.get_attribute("aria-label")
        need(len(name) > 3 and button.get_attribute("title") == name and not button.text, f"{name!r}, {button.text!r}")
    need(len(page.shown("#controls button.icon svg")) == 6, "there are six pictures")
    page.wait(lambda: marked(page)["word"], "a word is marked")
    found = marked(page)
    need(found["word"] == found["told"] and found["word"] in found["sentence"], found)
    page.one("#pause").click()
    page.wait(lambda: not page.text("#reader-status"), "sound is there")
    for button, word in [("next", "2"), ("next", "3")]:
        page.one(f"#{button}").click()
    # On a busy machine the second began by itself.
    page.wait(lambda: page.run("return window.words.some(word => Number(word) >= 3)"), "it reads the third")
    page.run("window.words = []")
    page.one("#back").click()
    page.wait(lambda: page.run("return window.words.includes('1') || window.words.includes('2')"), "it is back")
    page.one("#forward").click()
    page.one("#previous").click()
    need(page.shown("#reading"), "it still reads")


def click_sentence(page):
    page.one("#pause").click()
    need(page.label("#pause") == "Go on", page.label("#pause"))
    page.run("window.words = []")
    # What was out of sight is laid out before the next frame.
    page.browser.execute_async_script("""
      document.getElementById("reading").scrollIntoView({ block: "start" });
      requestAnimationFrame(() => requestAnimationFrame(arguments[0]));""")
    place = page.run("""
      const view = document.getElementById("reading");
      // As a wheel does: the page does not scroll back to what it reads.
      view.dispatchEvent(new Event("wheel"));
      const nodes = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
      while (!nodes.nextNode().data.includes("number 12 "));
      const range = document.createRange();
      range.setStart(nodes.currentNode, nodes.currentNode.data.indexOf("number 12 "));
      range.setEnd(nodes.currentNode, range.startOffset + 6);
      view.scrollTop = 0;
      view.scrollTop = Math.max(0, range.getBoundingClientRect().bottom - view.getBoundingClientRect().bottom + 60);
      const box = range.getClientRects()[0];
      return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];""")
    mouse = ActionChains(page.browser)
    mouse.w3c_actions.pointer_action.move_to_location(*place)
    mouse.w3c_actions.pointer_action.click()
    mouse.perform()
    numbers = page.wait(lambda: [word for word in page.run("return window.words") if word.isdigit()], "it reads from there")
    need(numbers[0] == "12", f"it read from {numbers[0]}, clicked at {place}")


def hasty(page):
    page.one("#stop").click()
    page.run("for (const id of ['speak', 'previous', 'back', 'previous']) document.getElementById(id).click()")
    page.wait(lambda: page.run("return document.documentElement.dataset.word") is not None and page.shown("#reading"), "it reads")
    page.run("window.words = []")
    page.wait(lambda: page.run("return window.words.includes('2')"), "it reads the second")
    page.run("for (let i = 0; i < 3; i += 1) for (const id of ['next', 'previous']) document.getElementById(id).click()")
    page.run("window.words = []")
    page.wait(lambda: page.run("return window.words.length > 3"), "it still sounds")
    need(page.label("#pause") == "Pause", page.label("#pause"))


def faster(page):
    need(page.shown("#reading"), "it reads")
    before = page.run("return performance.getEntriesByType('resource').filter((e) => e.name.includes('speech')).length")
    page.one("#tempo").send_keys(Keys.END)
    need(page.text("#tempo-value") == "3", page.text("#tempo-value"))
    after = page.run("return performance.getEntriesByType('resource').filter((e) => e.name.includes('speech')).length")
    need(after <= before + 1, "it was spoken anew")
    page.one("#stop").click()
    page.wait(lambda: not page.shown("#reading"), "it stops")
    page.run("const t = document.getElementById('tempo'); t.value = 1.5; t.dispatchEvent(new Event('input'))")


def save(page):
    page.type(TEXT)
    page.one("#save").click()
    page.wait(lambda: "was saved" in page.text("#saved"), "it is saved")
    path = page.wait(lambda: glob.glob(os.path.join(page.downloads, "synthhost*.mp3")), "the file is there")[0]
    need(length(path) > 2, f"{length(path)} s")


def length(path):
    found = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], stdout=subprocess.PIPE,
        text=True, check=True)
    return float(found.stdout)


HARD = "It's \"hard\": $HOME `x` \\ and ü."


def lines(page, name, command):
    page.type(HARD)
    page.wait(lambda: "hard" in page.run("return document.getElementById('code-curl').textContent"), "the lines follow")
    code = page.run(f"return document.getElementById('code-{name}').textContent")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*command, code], cwd=folder, check=True, timeout=LIMIT, stderr=subprocess.PIPE)
        need(length(os.path.join(folder, "speech.mp3")) > 1, "it is a sound")


def curl(page):
    lines(page, "curl", ["bash", "-c"])


def python(page):
    lines(page, "python", [sys.executable, "-c"])


def reload(page):
    page.type(TEXT)
    page.wait(lambda: TEXT in page.run("return localStorage.synthhost"), "it is kept")
    need("token" not in page.run("return JSON.stringify(localStorage)"), "a token is kept")
    page.open(page.origin)
    page.wait(lambda: page.text("#tuning-title") == "Tune Tern (American)", "the voice is the same")
    need(page.run("return document.getElementById('text').value") == TEXT, "the text is the same")
    need(page.text("#tempo-value") == "1.5", page.text("#tempo-value"))


def broken(page, outside):
    page.run("const t = document.getElementById('tempo'); t.value = 1; t.dispatchEvent(new Event('input'))")
    page.type(LONG * 6)
    page.run("window.words = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.words.includes('1')"), "it reads")
    # The next block is made while this one sounds, or when the reader asks for it.
    deadline = time.monotonic() + LIMIT
    while not page.shown("#broken") and time.monotonic() < deadline:
        outside("/kill-engines")
        page.one("#next").click()
    need(page.shown("#broken"), "it is told")
    page.picture("broken")
    need(len(page.text("#broken p")) > 30, page.text("#broken p"))
    need(page.all("#broken select option"), "other voices are offered")
    numbers = lambda: [int(word) for word in page.run("return window.words") if word.isdigit()]
    before = heard(page)
    page.run("window.words = []")
    page.one("#previous").click()
    page.one("#pause").click()
    page.wait(lambda: heard(page) > before, "the last sentence that was made is heard again")
    last = numbers()[-1]
    page.run("window.words = []")
    page.button(page.one("#broken"), "Go on").click()
    page.wait(numbers, "it goes on")
    need(numbers()[0] == last + 1, f"after {last} it went on with {numbers()[0]}")
    page.one("#stop").click()


def away(page, outside):
    page.open(page.origin)
    page.one("#all-title").click()
    page.run("document.querySelector('#all-groups details[data-language=de] summary').click()")
    page.run("document.querySelector('#all-groups details[data-language=de] summary').focus()")
    outside("/end")
    page.wait(lambda: page.text("#connection"), "it is told")
    page.run("document.querySelector('#suggested .row .actions button').click()")
    page.wait(lambda: page.text("#alarm") == "The service did not answer. Try again.", "a sentence says why nothing happens")
    outside("/start")
    page.wait(lambda: not page.text("#connection"), "it is back")
    need(page.run("return document.getElementById('announcer').textContent") != "", "its return is told")
    need(page.shown("#all-groups details[data-language=de] .row"), "the open language was closed")
    need(page.focused().startswith("German"), f"the focus went to {page.focused()!r}")
    page.one("#alarm-close").click()


def remove(page):
    page.button(page.row("Tern"), "Remove").click()
    page.button(page.row("Tern"), "Remove it").click()
    page.wait(lambda: "Not downloaded" in page.row("Tern").text, "it is gone")
    need(page.focused() != "BODY", "the focus is lost")


def speak_missing(page):
    page.type("Here I am.")
    page.run("window.words = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.words.includes('am.') || window.words.includes('am')"), "it speaks")
    page.wait(lambda: not page.shown("#reading"), "it has read")


def keyboard(page):
    page.open(page.origin)
    page.press(Keys.TAB)
    need(page.focused() == "skip", page.focused())
    reach(page, "filter")
    page.press("tern")
    page.wait(lambda: page.shown("#found .row"), "it is found")
    page.press(Keys.TAB)
    before = heard(page)
    page.press(Keys.ENTER)
    page.wait(lambda: heard(page) > before, "it is heard")
    # The text comes before the voices.
    page.open(page.origin)
    reach(page, "text")
    page.press(Keys.CONTROL, "a", Keys.CONTROL)
    ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    page.press("By keys alone.")
    reach(page, "speak")
    page.run("window.words = []")
    page.press(Keys.ENTER)
    page.wait(lambda: page.run("return window.words.length") > 1, "it speaks")
    page.wait(lambda: not page.shown("#reading"), "it has read")
    need(page.focused() != "BODY", "the focus is lost")


def keyboard_list(page):
    page.open(page.origin)
    reach(page, "all-title")
    page.press(Keys.ENTER)
    page.wait(lambda: page.shown("#all-groups summary"), "the languages are shown")
    first = page.shown("#all-groups summary")[0].text
    reach(page, first)
    page.press(Keys.ENTER)
    page.wait(lambda: page.shown("#all-groups .row"), "its voices are shown")
    page.press(Keys.TAB)
    before = heard(page)
    page.press(Keys.ENTER)
    page.wait(lambda: heard(page) > before, "one of them is heard")


# Notes how the text is scrolled.
SCROLLS = """
window.scrolls = [];
const scrollBy = Element.prototype.scrollBy;
Element.prototype.scrollBy = function (how) { window.scrolls.push(how.behavior); return scrollBy.call(this, how); };
"""


def calm(page):
    """Whether things move on the page, with and without the wish that none does."""
    page.open(page.origin)
    page.run(SCROLLS)
    page.type(LONG)
    for wish, behaviour in [("no-preference", "smooth"), ("reduce", "instant")]:
        page.media(prefers_reduced_motion=wish)
        duration = page.run("return getComputedStyle(document.getElementById('speak')).transitionDuration")
        need((duration == "0s") == (wish == "reduce"), f"{wish}: {duration}")
        page.run("window.scrolls = []")
        page.one("#speak").click()
        page.wait(lambda: scrolled_by_next(page), "the text is scrolled")
        need(set(page.run("return window.scrolls")) == {behaviour}, f"{wish}: {page.run('return window.scrolls')}")
    page.one("#stop").click()
    page.media()


def scrolled_by_next(page):
    page.one("#next").click()
    return page.run("return window.scrolls")


def reach(page, wanted):
    """By Tab alone; nothing on the way may hold the focus."""
    for _ in range(60):
        if page.focused() == wanted:
            need(page.run("return document.activeElement.matches(':focus-visible')"), "the focus cannot be seen")
            return
        page.press(Keys.TAB)
    raise AssertionError(f"{wanted} cannot be reached")


def german(page):
    page.run("const m = document.getElementById('page-language'); m.value = 'de'; m.dispatchEvent(new Event('change'))")
    page.wait(lambda: page.all("#reader-title") and page.text("#reader-title") == "Vorlesen", "it is German")
    need(page.run("return document.documentElement.lang") == "de", "its language is told")
    page.picture("page-german")


def errors(page):
    # Answers that are errors are noted by the browser; the checks provoke some.
    noted = [entry["message"] for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]
    need(not [message for message in noted if "Failed to load resource" not in message and "ERR_" not in message], noted)


if __name__ == "__main__":
    main()
