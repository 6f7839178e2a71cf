"""Uses the page with Chromium, and tells what it found: an object of JSON for each check, on a line of its own.

Usage: page_browser.py LINK CONTROL PICTURES
"""

import glob
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

LIMIT = 60
# Notes what is played: the lengths of the sounds that were played to their end, and what plays now.
NOTES = """
window.heard = []; window.playing = 0;
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  if (!this.noted) {
    this.noted = true;
    this.addEventListener("ended", () => window.heard.push(this.duration));
    this.addEventListener("playing", () => (window.playing += 1));
  }
  return play.call(this);
};
window.words = [];
new MutationObserver(() => {
  const word = document.documentElement.dataset.word;
  if (word && window.words.at(-1) !== word) window.words.push(word);
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-word"] });
"""
TEXT = "One two three. Four five six! Seven eight nine?"
LONG = " ".join(f"This is sentence number {number} of a long text." for number in range(1, 400))


class Page:
    def __init__(self, link, pictures):
        self.link, self.pictures = link, pictures
        self.downloads = tempfile.mkdtemp()
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--autoplay-policy=no-user-gesture-required",
                         f"--user-data-dir={tempfile.mkdtemp()}", "--lang=en", "--accept-lang=en"]:
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": self.downloads})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.browser.set_script_timeout(LIMIT)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=NOTES)
        with open(os.path.join(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0],
                               "axe.min.js"), encoding="utf-8") as file:
            self.axe = file.read()

    def command(self, name, **values):
        return self.browser.execute_cdp_cmd(name, values)

    def size(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, **features):
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def open(self, link=None):
        self.browser.get("about:blank")
        self.browser.get(link or self.link)
        self.wait(lambda: self.all(".row"), "voices are shown")

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def shown(self, selector):
        return [element for element in self.all(selector) if element.is_displayed()]

    def text(self, selector):
        return self.one(selector).text

    def run(self, script, *values):
        return self.browser.execute_script(script, *values)

    def row(self, name):
        return next(row for row in self.shown(".row") if row.find_element(By.CSS_SELECTOR, ".name").text.startswith(name))

    def button(self, element, word):
        return next(button for button in element.find_elements(By.TAG_NAME, "button") if button.text.startswith(word))

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def focused(self):
        return self.run("const e = document.activeElement; return e.id || e.value || e.textContent || e.tagName")

    def type(self, text):
        self.run("const t = document.getElementById('text'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))", text)

    def picture(self, name):
        self.browser.save_screenshot(os.path.join(self.pictures, f"{name}.png"))

    def wait(self, condition, what):
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            try:
                if result := condition():
                    return result
            except Exception as error:
                # The page may just change what is looked at.
                if "stale" not in str(error) and not isinstance(error, StopIteration):
                    raise
            time.sleep(0.05)
        raise AssertionError(f"waited {LIMIT} s: {what}")

    def faults(self):
        """What axe finds that is serious."""
        self.run(self.axe)
        found = self.browser.execute_async_script("axe.run(document).then(arguments[0])")
        return [f"{fault['id']}: {fault['nodes'][0]['html'][:120]}" for fault in found["violations"]
                if fault["impact"] in ("serious", "critical")]

    def is_narrow(self):
        return self.run("return document.documentElement.scrollWidth <= innerWidth")


class Told:
    def __call__(self, sentence, check):
        try:
            result = check()
            why = "" if result in (None, True) else f"it gave {result!r}"
        except Exception:
            why = traceback.format_exc(limit=-3)
        print(json.dumps({"sentence": f"page: {sentence}", "why": why}), flush=True)


def need(condition, what):
    if not condition:
        raise AssertionError(what)


def main():
    link, control, pictures = sys.argv[1:]
    outside = lambda path: urllib.request.urlopen(control + path, timeout=LIMIT).close()
    page = Page(link, pictures)
    try:
        use(page, Told(), outside)
    finally:
        page.browser.quit()


def use(page, told, outside):
    page.size(1280, 800)
    told("opens without an error, and keeps no token in the address", lambda: first(page))
    told("offers one voice to begin with", lambda: callout(page))
    told("has nothing serious for axe at the first run", lambda: page.faults() == [] or page.faults())
    page.picture("first-1280x800")
    told("has a name for everything that can be used", lambda: names(page))
    told("needs no scrolling to the side at the first run at 320 pixels", lambda: narrow(page))
    told("shows how far a download is, and cancels it", lambda: cancel(page, outside))
    told("says why a download failed, and tries again", lambda: retry(page, outside))
    told("lets a voice be heard by a click", lambda: click_preview(page))
    told("finds voices by typing, and hears one by Enter", lambda: find(page))
    told("shows all voices by language", lambda: by_language(page))
    told("has nothing serious for axe with the list open", lambda: page.faults() == [] or page.faults())
    told("tunes a voice, which is heard at once and kept", lambda: tune(page))
    told("speaks the text, and marks each word", lambda: speak(page))
    told("pauses, goes on, and seeks by sentence and by ten seconds", lambda: seek(page))
    told("has nothing serious for axe while it reads", lambda: page.faults() == [] or page.faults())
    page.picture("reading-1280x800")
    told("reads from a sentence that is clicked", lambda: click_sentence(page))
    told("goes on however quickly somebody seeks, and goes back no further than the beginning", lambda: hasty(page))
    told("reads faster without speaking anew", lambda: faster(page))
    told("saves a file of sound", lambda: save(page))
    told("has lines for curl that work", lambda: curl(page))
    told("has lines for Python that work", lambda: python(page))
    told("remembers everything after a reload", lambda: reload(page))
    told("opens a file of a megabyte, and speaks it a little ahead only", lambda: large(page))
    told("says when a speech breaks, and goes on with the next sentence", lambda: broken(page, outside))
    told("says when the service is away, and is back by itself", lambda: away(page, outside))
    told("removes a voice after a question", lambda: remove(page))
    told("downloads the voice first if it must speak with it", lambda: speak_missing(page))
    told("does all of it by the keyboard alone", lambda: keyboard(page))
    for width, height in [(360, 640), (320, 640), (3840, 2160)]:
        page.size(width, height)
        told(f"needs no scrolling to the side at {width} pixels", lambda: page.is_narrow())
        page.picture(f"page-{width}x{height}")
    page.size(1280, 800)
    for name, features in [("dark", {"prefers_color_scheme": "dark"}), ("forced", {"forced_colors": "active"}),
                           ("calm", {"prefers_reduced_motion": "reduce"})]:
        page.media(**features)
        told(f"has nothing serious for axe if it is {name}", lambda: page.faults() == [] or page.faults())
        page.picture(f"page-{name}")
    page.media()
    told("speaks German", lambda: german(page))
    told("asks for the token of those who come without it", lambda: stranger(page))
    told("has no error in its console", lambda: errors(page))


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
    page.picture("download-1280x800")
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


def narrow(page):
    page.size(320, 640)
    page.picture("first-320x640")
    fits = page.is_narrow()
    page.size(1280, 800)
    return fits


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
    with urllib.request.urlopen(page.link.split("#")[0] + "api/voices?key=piper/en_US-tern-x_low") as answer:
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
    need(page.text("#pause") == "Go on", page.text("#pause"))
    page.wait(lambda: page.run("return document.documentElement.dataset.word") is not None, "a word is marked")
    page.one("#pause").click()
    page.wait(lambda: not page.text("#reader-status"), "sound is there")
    for button, word in [("next", "2"), ("next", "3")]:
        page.one(f"#{button}").click()
    page.wait(lambda: page.run("return window.words.includes('3')"), "it reads the third")
    page.run("window.words = []")
    page.one("#back").click()
    page.wait(lambda: page.run("return window.words.includes('1') || window.words.includes('2')"), "it is back")
    page.one("#forward").click()
    page.one("#previous").click()
    need(page.shown("#reading"), "it still reads")


def click_sentence(page):
    page.run("window.words = []")
    page.run("document.getElementById('reading').scrollIntoView({ block: 'start' })")
    place = page.run("""
      const node = document.querySelector("#reading p").firstChild;
      const range = document.createRange();
      range.setStart(node, node.data.indexOf("number 12 "));
      range.setEnd(node, range.startOffset + 6);
      document.getElementById("reading").scrollTop = 0;
      const box = range.getBoundingClientRect();
      return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];""")
    mouse = ActionChains(page.browser)
    mouse.w3c_actions.pointer_action.move_to_location(*place)
    mouse.w3c_actions.pointer_action.click()
    mouse.perform()
    page.wait(lambda: page.run("return window.words.includes('12')"), "it reads from there")
    need(not page.run("return window.words.includes('11')"), "it read up to there")


def hasty(page):
    page.one("#stop").click()
    page.run("for (const id of ['speak', 'previous', 'back', 'previous']) document.getElementById(id).click()")
    page.wait(lambda: page.run("return document.documentElement.dataset.word") is not None and page.shown("#reading"), "it reads")
    page.run("window.words = []")
    page.wait(lambda: page.run("return window.words.includes('2')"), "it reads the second")
    page.run("for (let i = 0; i < 3; i += 1) for (const id of ['next', 'previous']) document.getElementById(id).click()")
    page.run("window.words = []")
    page.wait(lambda: page.run("return window.words.length > 3"), "it still sounds")
    need(page.text("#pause") == "Pause", page.text("#pause"))


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
    page.open(page.link.split("#")[0])
    page.wait(lambda: page.text("#tuning-title") == "Tune Tern (American)", "the voice is the same")
    need(page.run("return document.getElementById('text').value") == TEXT, "the text is the same")
    need(page.text("#tempo-value") == "1.5", page.text("#tempo-value"))


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
    page.picture("broken-1280x800")
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
    page.open(page.link.split("#")[0])
    page.one("#all-title").click()
    page.run("document.querySelector('#all-groups details[data-language=de] summary').click()")
    page.run("document.querySelector('#all-groups details[data-language=de] summary').focus()")
    outside("/end")
    page.wait(lambda: page.text("#connection"), "it is told")
    outside("/start")
    page.wait(lambda: not page.text("#connection"), "it is back")
    need(page.run("return document.getElementById('announcer').textContent") != "", "its return is told")
    need(page.shown("#all-groups details[data-language=de] .row"), "the open language was closed")
    need(page.focused().startswith("German"), f"the focus went to {page.focused()!r}")


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
    page.open(page.link.split("#")[0])
    page.press(Keys.TAB)
    need(page.focused() == page.text(".skip") or "Skip" in page.focused(), page.focused())
    reach(page, "filter")
    page.press("tern")
    page.wait(lambda: page.shown("#found .row"), "it is found")
    page.press(Keys.TAB)
    before = heard(page)
    page.press(Keys.ENTER)
    page.wait(lambda: heard(page) > before, "it is heard")
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


def stranger(page):
    page.browser.delete_all_cookies()
    page.command("Network.clearBrowserCookies")
    page.open(page.link.split("#")[0])
    flock = page.wait(lambda: page.row("Flock"), "it is listed")
    page.button(flock, "Herunterladen").click()
    page.wait(lambda: page.shown("#token-notice"), "it asks for the token")
    need(page.focused() == "token", page.focused())
    page.press("wrong-token-that-is-long-enough", Keys.ENTER)
    page.wait(lambda: page.shown("#alarm"), "it says that it is wrong, for all to see")
    page.run("document.getElementById('alarm-close').click()")
    need(not page.shown("#alarm") and page.focused() != "BODY", "what went wrong can be put away")
    page.run("document.getElementById('token').focus()")
    page.run("document.getElementById('token').value = ''")
    page.press(page.link.split("token=")[1], Keys.ENTER)
    page.wait(lambda: page.all("#token-notice") and not page.shown("#token-notice"), "it is taken")


def errors(page):
    # Answers that are errors are noted by the browser; the checks provoke some.
    noted = [entry["message"] for entry in page.browser.get_log("browser") if entry["level"] == "SEVERE"]
    need(not [message for message in noted if "Failed to load resource" not in message and "ERR_" not in message], noted)


if __name__ == "__main__":
    main()
