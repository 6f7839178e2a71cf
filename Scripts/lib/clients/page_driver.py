"""Controls the page in Chromium, and reports its checks, each as a JSON object on its own line."""

import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
import time
import traceback
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, InvalidSessionIdException, NoSuchWindowException, StaleElementReferenceException,
    WebDriverException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

LIMIT = 600
# Records playback: the durations of completed audio segments, the number of started segments, and the sentence that was marked when each
# segment started. These are recorded even if the page draws late. Words are recorded only if a frame showed them marked.
NOTES = """
window.heard = []; window.playing = 0; window.sentences = [];
const sentence = () =>
  [...(CSS.highlights?.get("sentence") ?? [])].join("") || document.querySelector("#reading .sentence")?.textContent;
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  if (!this.noted) {
    this.noted = true;
    this.addEventListener("ended", () => window.heard.push(this.duration));
    this.addEventListener("playing", () => {
      window.playing += 1;
      const text = this.paused ? "" : sentence();
      if (!text || window.sentences.at(-1) === text) return;
      window.sentences.push(text);
      window.onSentence?.(text);
    });
  }
  return play.call(this);
};
window.words = [];
new MutationObserver(() => {
  const word = document.documentElement.dataset.word;
  if (word && window.words.at(-1) !== word) window.words.push(word);
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-word"] });
"""

# The state of a page.
STATE = """
return JSON.stringify({
  ready: document.readyState, shown: document.body.innerText.slice(0, 200), kept: localStorage.synthhost ?? null,
  loaded: performance.getEntriesByType("resource").map((one) => one.name.split("/").at(-1)).slice(-5),
  state: document.documentElement.dataset.state, hearing: document.documentElement.dataset.hearing,
  problem: document.getElementById("heard-problem")?.innerText, broken: document.getElementById("broken")?.textContent,
  marked: [...(CSS.highlights?.get("sentence") ?? [])].join(""), sentences: window.sentences?.slice(-3), playing: window.playing,
  speeches: performance.getEntriesByType("resource").filter((one) => one.name.includes("audio/speech")).slice(-3)
    .map((one) => [one.startTime, one.responseStart, one.responseEnd, one.responseStatus].map(Math.round)),
  now: Math.round(performance.now()),
})"""


class Page:
    def __init__(self, link, pictures, sound=None):
        """`sound` is the file that the simulated microphone plays when it is opened. If it is None, there is no microphone."""
        self.link, self.pictures = link, pictures
        self.sound = sound
        self.origin = link.split("#")[0]
        self.seen = []
        self.downloads = tempfile.mkdtemp()
        self._start()
        self.browser.set_script_timeout(LIMIT)
        self.browser.set_page_load_timeout(LIMIT)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=NOTES)
        with open(os.path.join(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0],
                               "axe.min.js"), encoding="utf-8") as file:
            self.axe = file.read()

    def _start(self, tries=5):
        """Retries if the browser takes longer to start than its driver waits."""
        self.profile = tempfile.mkdtemp()
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--autoplay-policy=no-user-gesture-required",
                         f"--user-data-dir={self.profile}", "--lang=en", "--accept-lang=en", *self._microphone()]:
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": self.downloads})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enablePage": False})
        try:
            self.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        except WebDriverException:
            shutil.rmtree(self.profile, ignore_errors=True)
            if tries == 1:
                raise
            self._start(tries - 1)

    def _microphone(self):
        if not self.sound:
            return []
        return ["--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={self.sound}%noloop"]

    def close(self):
        self.browser.quit()
        for folder in [self.downloads, self.profile]:
            shutil.rmtree(folder, ignore_errors=True)

    def command(self, name, **values):
        return self.browser.execute_cdp_cmd(name, values)

    def size(self, width, height):
        self.width, self.height = width, height
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        # The page closes its sheets in response to the new size.
        self.frame()

    def frame(self):
        """Waits until the page has drawn everything."""
        self.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def media(self, **features):
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def go(self, link):
        """Opens a link as if the user had typed it."""
        self.browser.get("about:blank")
        self.browser.get(link)

    def open(self, link=None):
        self.go(link or self.link)
        self.wait(lambda: self.shown("#chip, #callout"), "the voice is shown")

    def state(self):
        """Returns the state of the player."""
        return self.run("return document.documentElement.dataset.state")

    def until(self, *states):
        self.wait(lambda: self.state() in states, f"the player is {' or '.join(states)}")

    def sheet(self, name):
        """Opens a sheet in the same way as a user, unless it is already open."""
        if not self.run(f"return document.getElementById('{name}').open"):
            self.run("document.querySelector('dialog.sheet[open]')?.close()")
            opener = {"voices": "#chip", "saving": "#open-save", "shelf": "#open-shelf", "look": "#open-look",
                      "pace": "#open-pace", "contents": "#open-contents"}[name]
            self.shown(opener)[0].click()
            self.wait(lambda: self.is_open(name), f"the sheet {name} is open")
            self.frame()
        return self.one(f"#{name}")

    def shut(self):
        self.run("document.querySelector('dialog.sheet[open]')?.close()")
        self.wait(lambda: not self.run("return document.body.dataset.panel"), "the sheet is closed")

    def is_open(self, name):
        return self.run(f"return document.getElementById('{name}').open")

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def shown(self, selector):
        while True:
            try:
                return [element for element in self.all(selector) if element.is_displayed()]
            except StaleElementReferenceException:
                # The elements have just been redrawn.
                continue

    def texts(self, selector):
        """Returns a snapshot of the text of all visible elements."""
        return self.run("return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())"
                        ".map((one) => one.innerText.trim())", selector)

    def text(self, selector):
        return self.one(selector).text

    def speaker(self):
        """Returns the name of the selected voice. On a phone, a sheet may cover it."""
        return self.run("return document.getElementById('speaker').textContent")

    def said(self):
        """Returns the state as text, even on a screen too low to show this text."""
        return self.run("return document.getElementById('state').textContent")

    def label(self, selector):
        """Returns the accessible name of an image."""
        return self.one(selector).get_attribute("aria-label")

    def run(self, script, *values):
        return self.browser.execute_script(script, *values)

    def row(self, name):
        return next(row for row in self.shown(".row") if row.find_element(By.CSS_SELECTOR, ".name").text.startswith(name))

    def act(self, deed):
        """Performs an action on an element that the page may be redrawing."""
        self.wait(lambda: (deed(), True)[1], "the element exists")

    def press_on(self, selector):
        """Clicks an element that the page may be redrawing."""
        self.act(lambda: self.click(self.one(selector)))

    def click(self, element):
        """Clicks at a point that is not covered by a fixed element, even if the page is being redrawn."""
        deadline = time.monotonic() + LIMIT
        while True:
            self.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element)
            try:
                return element.click()
            except ElementClickInterceptedException:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.05)

    def button(self, element, word):
        """Returns a button by its accessible name or its text."""
        return next(button for button in element.find_elements(By.TAG_NAME, "button")
                    if button.text.startswith(word) or (button.get_attribute("aria-label") or "").startswith(word))

    def offers(self, row):
        """Returns the action that a voice's button offers."""
        return row.find_element(By.CSS_SELECTOR, ".actions button").get_attribute("aria-label").split()[0].rstrip(":")

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def focused(self):
        return self.run("const e = document.activeElement; return e.id || e.value || e.textContent || e.tagName")

    def type(self, text):
        """Types text, replacing any existing text."""
        self.run("""
          if (document.getElementById("desk").hidden) document.getElementById("new-text").click();
          const field = document.getElementById("text");
          field.value = arguments[0];
          field.dispatchEvent(new Event("input"));""", text)

    def stop(self):
        """Stops playback, and makes the text editable again."""
        if self.state() in ("speaking", "waiting", "loading"):
            self.run("document.getElementById('speak').click()")
        self.run("document.getElementById('new-text').click()")

    def picture(self, name):
        path = os.path.join(self.pictures, f"{name}-{self.width}x{self.height}.png")
        try:
            self.browser.save_screenshot(path)
        except WebDriverException as error:
            # The driver's timeout is only ten seconds.
            print(f"no {path}: {error.msg}", file=sys.stderr)

    def wait(self, condition, what):
        deadline = time.monotonic() + LIMIT
        last = None
        while time.monotonic() < deadline:
            try:
                if result := condition():
                    return result
                last = None
            except (InvalidSessionIdException, NoSuchWindowException):
                raise
            except (WebDriverException, StopIteration, IndexError) as error:
                # The page may be changing the element.
                last = error
            time.sleep(0.05)
        why = f"; at last {last!r}".split("Stacktrace:")[0] if last else ""
        raise AssertionError(f"waited {LIMIT} s: {what}{why}; there is {self.shown_now()}")

    def shown_now(self):
        """Returns the state of the page, to report with a failure."""
        try:
            return self.run(STATE)
        except WebDriverException as error:
            return error.msg

    def faults(self):
        """Returns axe's serious findings, after all color transitions have ended."""
        self.run(self.axe)
        found = self.browser.execute_async_script("""
            const ending = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity)
            Promise.allSettled(ending.map((one) => one.finished)).then(() => axe.run(document)).then(arguments[0])""")
        return [f"{fault['id']}: {fault['nodes'][0]['html'][:120]}" for fault in found["violations"]
                if fault["impact"] in ("serious", "critical")]

    def is_narrow(self):
        return self.run("return document.documentElement.scrollWidth <= innerWidth")

    def asked(self):
        """Returns the URLs of all requests by pages, except the browser's own pages."""
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        requests = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        sockets = [event["params"]["url"] for event in events if event["method"] == "Network.webSocketCreated"]
        self.seen += sockets + [
            request["request"]["url"] for request in requests if not request["documentURL"].startswith("chrome:")]
        return self.seen

    def asked_elsewhere(self):
        """Returns the requests that are neither to the service nor for the page's own audio."""
        own = urllib.parse.urlsplit(self.origin)[:2]
        # A WebSocket has a different scheme.
        place = lambda url: urllib.parse.urlsplit(re.sub("^ws", "http", url.removeprefix("blob:")))[:2]
        asked = self.asked()
        need(len(asked) > 10, f"only these requests were sent: {asked}")
        return [url for url in asked if not url.startswith(("data:", "about:")) and place(url) != own]


class Told:
    def __init__(self, name="page"):
        self.name = name

    def __call__(self, sentence, check):
        try:
            result = check()
            why = "" if result in (None, True) else f"it gave {result!r}"
        except Exception:
            # Omit the browser's own stack trace.
            why = traceback.format_exc(limit=-3).split("\nStacktrace:")[0]
        print(json.dumps({"sentence": f"{self.name}: {sentence}", "why": why}), flush=True)


def need(condition, what):
    if not condition:
        raise AssertionError(what)
