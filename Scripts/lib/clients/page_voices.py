"""Checks choosing, playing, tuning, marking and removing voices."""

import json
import re
import urllib.request

from page_driver import need
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

VOICE = "piper/en_US-tern-x_low"


def heard(page):
    return page.run("return window.heard.length")


def asked(page, key=VOICE):
    with urllib.request.urlopen(f"{page.origin}api/voices?key={key}") as answer:
        return json.load(answer)


def preview(page):
    """Checks that a preview takes two taps: on the chip and on the voice."""
    page.shut()
    before = heard(page)
    page.one("#chip").click()
    page.act(lambda: page.click(page.row("Tern").find_element(By.CSS_SELECTOR, ".name")))
    page.wait(lambda: heard(page) > before, "the preview was played")
    need(page.run("return window.heard.at(-1)") > 0.5, "the preview is shorter than a sentence")
    need(page.speaker() == "Tern", page.speaker())


def new_voice(page):
    """Checks that a download takes two taps: on the chip and on the download button. When the voice is installed, it plays a sample and
    is selected."""
    page.shut()
    before = heard(page)
    page.one("#chip").click()
    page.wait(lambda: "man · natural" in page.row("Flock").text and "man · quick" in page.row("Rook").text, "the descriptions are shown")
    page.act(lambda: page.button(page.row("Flock"), "Download").click())
    page.wait(lambda: page.offers(page.row("Flock")) == "Listen", "the voice is installed")
    page.wait(lambda: heard(page) > before, "the preview was played")
    need(page.speaker() == "Flock", page.speaker())
    page.wait(lambda: yours(page) >= {"Flock", "Tern", "Basic voice"}, "the group Yours contains the installed voices")
    need("Recommended" not in page.text("#suggested") or "Flock" not in page.shown("#suggested ul")[-1].text, "the voice is still recommended")
    page.act(lambda: page.click(page.row("Tern").find_element(By.CSS_SELECTOR, ".name")))


def yours(page):
    return {row.find_element(By.CSS_SELECTOR, ".name").text for row in page.shown("#suggested ul")[0].find_elements(By.CSS_SELECTOR, ".row")}


def order(page):
    """Checks the order of the list: installed voices starting with the selected one, then starter voices, then all voices."""
    page.shut()
    page.sheet("voices")
    page.wait(lambda: [title.text for title in page.shown("#voices-all h3")][0] == "Yours", "Yours is the first group")
    page.wait(lambda: page.shown("#suggested .row")[0].text.startswith("Tern"), "the selected voice is first")
    page.wait(lambda: "chosen" in page.shown("#suggested .row")[0].get_attribute("class"), "the selected voice is marked")
    need(len(page.shown("#suggested ul")[-1].find_elements(By.CSS_SELECTOR, ".row")) <= 5, "more than five voices are recommended")


def find(page):
    page.sheet("voices")
    page.one("#filter").send_keys("american ter")
    page.wait(lambda: len(page.shown("#found .row")) == 1, "one voice is found")
    before = heard(page)
    page.one("#found input[type=radio]").send_keys(Keys.ENTER)
    page.wait(lambda: heard(page) > before, "the preview was played")
    page.one("#filter").clear()
    page.one("#filter").send_keys(" ", Keys.BACKSPACE)
    page.wait(lambda: page.shown("#suggested .row"), "the list is shown again")


def unfold(page):
    """Shows the languages other than the user's own."""
    if not page.run("return document.querySelector('#all-groups details[data-language=rest]').open"):
        page.run("document.querySelector('#all-groups details[data-language=rest] > summary').click()")
    page.wait(lambda: page.shown("#all-groups details[data-language=de]"), "the other languages are shown")


def by_language(page):
    page.sheet("voices")
    groups = page.texts("#all-groups summary")
    need(groups[0].startswith("English") and len(groups) == 2 and re.match(r"\d\d+ other languages", groups[1]), groups)
    unfold(page)
    names = page.texts("#all-groups summary")
    need(len(names) > 50 and len(set(names)) == len(names) and any(name.startswith("German") for name in names), names)
    page.press_on("#all-groups details[data-language=de] > summary")
    page.wait(lambda: any("quick" in text or "Basic voice" in text for text in page.texts("#all-groups details[data-language=de] .row")), "the voices are shown")


def details(page, name="Tern"):
    page.shut()
    page.sheet("voices")
    page.act(lambda: page.click(page.row(name).find_element(By.CSS_SELECTOR, ".details")))
    page.wait(lambda: page.shown("#details"), "the details are shown")


def is_tuned(page, **values):
    profile = asked(page)["profile"]
    return all(abs((profile[name] or 0) - value) < 0.001 for name, value in values.items())


def tune(page):
    details(page)
    need(page.text("#tuning-title") == "Tern (American)", page.text("#tuning-title"))
    need("License" in page.text("#details") or "Language" in page.text("#details"), "the details are missing")
    before = heard(page)
    page.one("#rate").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: heard(page) > before, "the preview was played")
    page.wait(lambda: "profile" in page.text("#tuning-note"), "the settings are saved")
    page.wait(lambda: is_tuned(page, rate=1.2), "the complete settings are saved")
    page.wait(lambda: page.run("return !JSON.parse(localStorage.synthhost).tuning?.[arguments[0]]", VOICE), "the settings are saved only in the profile")
    page.one("#pitch").send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: is_tuned(page, pitch=1.05), "the second setting is saved")
    need(is_tuned(page, rate=1.2), "the first setting is lost")
    page.picture("details")
    page.press_on("#tuning-reset")
    page.wait(lambda: page.text("#rate-value") == "1×", "the setting is reset")
    page.wait(lambda: asked(page)["profile"]["rate"] is None, "the reset is saved")


def mark(page):
    details(page, "Flock")
    page.press_on("#favorite")
    page.wait(lambda: page.one("#favorite").get_attribute("aria-pressed") == "true", "the voice is a favorite")
    need(asked(page, "piper/en_US-flock-x_low")["favorite"], "the server did not store the favorite")
    need(page.focused() == "favorite", f"the focus moved to {page.focused()!r}")
    page.press_on("#hide")
    page.wait(lambda: page.text("#hide") == "Show again", "the voice is hidden")
    page.press_on("#details-back")
    need(not [text for text in page.texts("#suggested .row") if text.startswith("Flock")], "the voice is still listed")
    page.wait(lambda: any(text.startswith("Hidden") for text in page.texts("#all-groups summary")), "the group of hidden voices is shown")
    page.run("document.querySelector('#all-groups details[data-language=hidden] summary').click()")
    # The list is updated when the server has notified all pages.
    page.wait(lambda: page.click(page.row("Flock").find_element(By.CSS_SELECTOR, ".details")) or True, "the voice is in the group of hidden voices")
    page.wait(lambda: page.shown("#hide"), "the details are shown")
    page.press_on("#hide")
    page.wait(lambda: page.text("#hide") == "Hide", "the voice is no longer hidden")
    need(not asked(page, "piper/en_US-flock-x_low")["hidden"], "the server still hides the voice")
    page.press_on("#details-back")
    page.act(lambda: page.click(page.row("Tern").find_element(By.CSS_SELECTOR, ".name")))


def remove(page):
    details(page)
    page.press_on("#remove")
    need(page.focused() == "remove-really", page.focused())
    page.press_on("#keep")
    need(page.focused() == "remove", page.focused())
    page.press_on("#remove")
    page.press_on("#remove-really")
    page.wait(lambda: page.offers(page.row("Tern")) == "Download", "the voice is removed")
    need(page.focused() != "BODY", "the focus is lost")
    page.shut()


def away(page, outside):
    page.open(page.origin)
    page.sheet("voices")
    unfold(page)
    page.run("document.querySelector('#all-groups details[data-language=de] summary').click()")
    page.run("document.querySelector('#all-groups details[data-language=de] summary').focus()")
    outside("/end")
    page.wait(lambda: page.text("#connection"), "the lost connection is shown")
    page.run("document.querySelector('#suggested .row .actions button').click()")
    page.wait(lambda: page.text("#alarm") == "The service did not respond. Try again.", "an error says why nothing happens")
    outside("/start")
    page.wait(lambda: not page.text("#connection"), "the page is connected again")
    need(page.run("return document.getElementById('announcer').textContent") != "", "the connection is not announced")
    need(page.shown("#all-groups details[data-language=de] .row"), "the open language was closed")
    need(page.focused().startswith("German"), f"the focus moved to {page.focused()!r}")
    page.run("document.getElementById('alarm-close').click()")
    page.shut()
