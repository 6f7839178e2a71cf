"""Checks the first steps of a new user, with a new home folder."""

from page_driver import need
from page_texts import LONG
from selenium.webdriver.common.by import By

USED = {"button", "radio", "checkbox", "slider", "textbox", "searchbox", "combobox", "DisclosureTriangle", "link"}


def first(page):
    page.open()
    need("token" not in page.browser.current_url, page.browser.current_url)
    need(page.run("return document.cookie") == "", "a script can read the cookie")


def callout(page):
    need(page.text("#callout-title") == "Get a more natural voice", page.text("#callout-title"))
    need(len(page.shown("#callout button")) == 2, "the offer needs one button for the download and one to close it")
    need("Tern, American, woman" in page.run("return document.getElementById('callout-text').textContent"), "the offer does not describe the voice")
    need("MB" in page.text("#callout-action button"), f"the button does not show the size of the download: {page.text('#callout-action button')}")
    need(page.shown("#chip") and page.speaker() == "Basic voice", "the voice is not shown")


def start(page):
    """Checks that the text field describes its purpose, and that the options are visible."""
    need(page.run("return document.getElementById('text').value") == "", "the text field is not empty")
    need("Paste" in page.text("#paste") and "Open" in page.text("#open-file") and page.shown("#hear-sample"), "a choice is missing")
    need("press play" in page.one("#text").get_attribute("placeholder"), page.one("#text").get_attribute("placeholder"))
    need("sent only to your synthhost" in page.text("#open-hint") and "PDF" in page.text("#open-hint"), page.text("#open-hint"))
    page.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.run("document.body.focus(); return navigator.clipboard.writeText('I was copied.')")
    page.one("#paste").click()
    page.wait(lambda: page.run("return document.getElementById('text').value") == "I was copied.", "the text is pasted")
    need(not page.shown("#start"), "the choices for an empty text are still shown")
    page.run("delete Navigator.prototype.clipboard; document.getElementById('new-text').click()")
    page.one("#paste").click()
    page.wait(lambda: page.focused() == "text" or "Ctrl+V" in page.text("#open-hint"), "the field has the focus")
    page.wait(lambda: "Ctrl+V" in page.text("#open-hint"), "the hint says how to paste")
    clear(page)
    page.run("window.sentences = []")
    page.one("#hear-sample").click()
    page.wait(lambda: page.run("return window.sentences.some((one) => one.includes('morning'))"), "the sample is played")
    page.open(page.origin)
    need(page.run("return !JSON.parse(localStorage.synthhost ?? '{}').shelf?.some((one) => one.title.startsWith('Good'))"), "the sample is stored")
    clear(page)


def clear(page):
    """Simulates a new browser."""
    page.run("localStorage.clear(); addEventListener('pagehide', () => localStorage.clear())")
    page.open(page.origin)


def room(page):
    """Checks that the text field fits next to the offer on a small phone, and that the offer can be dismissed permanently."""
    before = page.width, page.height
    page.size(360, 640)
    tall = page.run("return document.getElementById('callout').offsetHeight")
    page.type("A text.")
    low = page.run("return document.getElementById('callout').offsetHeight")
    need("MB" in page.text("#callout-action button"), "the button does not show the size of the download next to a text")
    need(0 < low <= tall and low <= 56, f"the offer is {low} pixels high next to a text, and {tall} without a text")
    left = page.run("return document.getElementById('player').getBoundingClientRect().top - document.getElementById('top').offsetHeight")
    need(left > 300, f"only {left} pixels remain for the text")
    page.run("document.getElementById('new-text').click()")
    page.one("#callout-close").click()
    need(not page.shown("#callout") and page.shown("#chip"), "the offer is still shown")
    page.open(page.origin)
    need(not page.shown("#callout"), "the offer is shown again")
    page.size(*before)
    clear(page)


def in_sight(page):
    """Checks that the controls and the voice's name are visible without scrolling."""
    before = page.width, page.height
    for size in [(390, 844), (360, 640), (320, 568)]:
        page.size(*size)
        page.run("scrollTo(0, 0)")
        speak, who, text = (page.run(
            f"const b = document.querySelector('{what}').getBoundingClientRect(); return [b.top, b.bottom]")
            for what in ["#speak", ".who", "#text"])
        need(0 < speak[0] and speak[1] <= size[1] and 0 < who[0] and who[1] <= size[1], f"{size}: {speak}, {who}")
        need(text[0] < size[1] / 4, f"{size}: the text begins at {text[0]}")
    page.size(*before)


def sounds_by_one_tap(page):
    page.open(page.origin)
    page.run("window.playing = 0; window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.playing > 0 && window.sentences.length > 0"), "the text is spoken")
    page.until("ended")
    page.open(page.origin)


def cancel(page, outside):
    outside("/slow")
    speaker = page.speaker()
    page.one("#callout-action button").click()
    page.wait(lambda: "%" in page.text("#callout-title"), "the percentage is shown")
    page.wait(lambda: "B of" in page.run("return document.getElementById('callout-text').textContent"), "the bytes are shown")
    page.picture("download")
    page.sheet("voices")
    page.wait(lambda: "B of" in page.row("Tern").text, "the row shows the bytes, too")
    text, kind = page.run("const row = document.querySelector('#suggested .row'); return [row.innerText.trim(), row.className]")
    need(text.startswith("Basic voice") and "chosen" in kind and page.speaker() == speaker, "the selected voice is no longer first")
    page.picture("download-row")
    page.act(lambda: page.button(page.row("Tern"), "Cancel").click())
    page.wait(lambda: page.offers(page.row("Tern")) == "Download", "the download is cancelled")
    outside("/fast")


def retry(page, outside):
    outside("/fail")
    page.act(lambda: page.button(page.row("Tern"), "Download").click())
    page.wait(lambda: page.row("Tern").find_elements(By.CSS_SELECTOR, ".problem"), "the download fails")
    page.wait(lambda: len(page.row("Tern").find_element(By.CSS_SELECTOR, ".problem").text) > 20, "the reason is shown")
    outside("/mend")
    page.act(lambda: page.button(page.row("Tern"), "Try again").click())
    page.wait(lambda: page.offers(page.row("Tern")) == "Listen", "the voice is installed")
    page.wait(lambda: not page.shown("#callout") and page.all("#chip"), "the chip is shown")
    page.shut()
    need(page.speaker() == "Tern" and "American" in page.text("#speaker-about"), page.text("#chip"))


def names(page):
    nodes = page.command("Accessibility.getFullAXTree")["nodes"]
    nodes = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    roles = [role for role, _ in nodes]
    need(roles.count("main") == 1 and "banner" in roles and "region" in roles and roles.count("heading") >= 2, roles)
    used = [(role, name) for role, name in nodes if role in USED]
    need(len(used) > 12, used)
    need(not [role for role, name in used if not name.strip()], f"a control has no label: {used}")
    for button in page.shown("#controls button, .tools button"):
        name = button.get_attribute("aria-label")
        need(len(name) > 3 and button.get_attribute("title") == name and button.text in ("", name), f"{name!r}, {button.text!r}")
    need(len(page.shown("#controls button svg")) == 5, "there must be five icons")


def at_320(page):
    before = page.width, page.height
    page.size(320, 640)
    page.picture("first")
    fits = page.is_narrow()
    page.size(*before)
    return fits


def speak_missing(page):
    """Checks that a voice that is not installed is downloaded first, and that the button cancels the download."""
    page.type("Here I am.")
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.sentences.length > 0"), "the text is spoken")
    page.until("ended")


def leave_missing(page, outside):
    outside("/slow")
    page.type(LONG)
    page.one("#speak").click()
    page.until("downloading")
    page.wait(lambda: "%" in page.said(), "the percentage is shown")
    need(page.label("#speak") == "Cancel the download", page.label("#speak"))
    page.one("#speak").click()
    page.until("idle")
    outside("/fast")
    page.sheet("voices")
    page.wait(lambda: page.offers(page.row("Tern")) == "Download", "the download is cancelled")
    page.shut()
