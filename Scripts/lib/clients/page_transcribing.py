"""Checks the transcription screen. The recognizer returns the lines of its script, regardless of the input."""

import json
import os
import re

from page_driver import need
from selenium.webdriver.common.keys import Keys

SAID = "Hello, world."
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "Sources", "SynthWeb", "Page")
with open(os.path.join(SOURCE, "transcribing", "text", "en.json"), encoding="utf-8") as texts:
    TEXTS = json.load(texts)["strings"]
# Records the announcements for screen readers, and which part of the text may change.
NOTES = """
window.told = []; window.tails = [];
new MutationObserver(() => window.told.push(document.getElementById("announcer").textContent))
  .observe(document.getElementById("announcer"), { childList: true, characterData: true, subtree: true });
new MutationObserver(() => window.tails.push(document.querySelector(".tail").textContent))
  .observe(document.querySelector(".tail"), { childList: true, characterData: true, subtree: true });
"""
# The errors that a browser may report when it denies access to the microphone.
REFUSE = """
const [name] = arguments;
navigator.mediaDevices.getUserMedia = () => Promise.reject(Object.assign(new Error(), { name }));
"""
# Simulates a service that is full or does not know the model. The arguments are the error code and the WebSocket close
# code, if any.
REFUSING_SOCKET = """
const [code, close] = arguments;
window.RealSocket ??= window.WebSocket;
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    setTimeout(() => {
      this.onopen();
      this.onmessage({ data: JSON.stringify({ type: "error", error: { code, message: "" } }) });
      if (close) this.onclose({ code: close });
    }, 50);
  }
  send(event) {
    if (typeof event === "string" && event.includes("finish")) this.onclose({ code: 1000 });
  }
  close() {}
  addEventListener() {}
};
"""


def state(page):
    return page.run("return document.documentElement.dataset.hearing")


def until(page, *states):
    page.wait(lambda: state(page) in states, f"the screen is {' or '.join(states)}")


def text(page):
    """Returns the text of all paragraphs as one line. Pauses separate paragraphs, and their lengths depend on the machine."""
    return page.run("return [...document.querySelectorAll('#heard p:not(.tail)')].map((one) => one.textContent).join(' ')")


def allow(page, setting="granted"):
    page.command("Browser.setPermission", permission={"name": "microphone"}, setting=setting)


def begin(page):
    page.go(page.link + "")
    page.wait(lambda: page.shown("#open-transcribe"), "the button for transcribing is shown")
    page.one("#open-transcribe").click()
    page.wait(lambda: state(page) not in (None, "looking"), "the models are loaded")
    page.run(NOTES)


def again(page):
    """Reloads and returns to the screen."""
    page.go(page.origin + "#transcribe")
    page.wait(lambda: state(page) not in (None, "looking"), "the address opens the screen")
    page.run(NOTES)


def lazy(page):
    allow(page)
    page.open()
    loaded = lambda: page.run(
        "return performance.getEntriesByType('resource').filter((one) => one.name.includes('transcribing')).length")
    need(loaded() == 0, "code of the screen is already loaded")
    page.one("#open-transcribe").click()
    page.wait(lambda: page.shown("#transcribing"), "the screen is shown")
    need(loaded() > 10 and page.focused() == "record", page.focused())


def downloads(page, outside):
    begin(page)
    until(page, "absent")
    need(re.search(r"Download · 20\d kB", page.text("#record")), page.text("#record"))
    need("Script of the checks" in page.text("#heard-words"), page.text("#heard-words"))
    need(not page.faults(), page.faults())
    page.picture("transcribing-absent")
    outside("/slow")
    page.one("#record").click()
    until(page, "coming")
    page.wait(lambda: page.run("return document.getElementById('heard-progress').value") > 0.01, "the progress bar moves")
    page.wait(lambda: re.search(r"\d kB of 20\d kB", page.text("#heard-words")), "the progress is shown in bytes")
    need(page.text("#record") == "Cancel", page.text("#record"))
    page.one("#record").click()
    until(page, "absent")
    outside("/fast")
    outside("/fail")
    page.one("#record").click()
    until(page, "failed")
    need("Try again" in page.text("#record"), page.text("#record"))
    outside("/mend")
    need(drop(page, page.sound, "talk.wav"), "the page does not take the file")
    page.wait(lambda: page.shown("#heard-problem"), "a file needs the model")
    need(TEXTS["trouble-noModel"] in page.text("#heard-problem") and page.text("#heard-problem .main") == TEXTS["listening"], page.text("#heard-problem"))
    page.one("#record").click()
    until(page, "done")
    need(text(page).startswith(SAID) and not page.shown("#heard-problem"), "the file was not transcribed after the download")
    page.wait(lambda: any("is ready" in each for each in page.run("return window.told")), "the model is announced")


def record(page, stops=True):
    """Records the microphone's audio, which contains the same speech twice."""
    page.run("window.told.length = window.tails.length = 0")
    page.one("#record").click()
    until(page, "recording")
    level = lambda: page.run("return document.querySelector('#heard-level .filled').getBoundingClientRect().width")
    page.wait(lambda: level() > 50, "the level meter shows speech")
    page.wait(lambda: text(page).count(SAID) == 2, "both sentences are transcribed")
    if stops:
        page.one("#record").click()
        until(page, "done")


def records(page):
    record(page, stops=False)
    need(page.text("#record") == "Stop" and re.search(r"Recording · 0:0\d", page.text("#heard-words")), page.text("#heard-words"))
    need(page.shown("#heard-level") and not page.shown("#heard-tools"), "the level meter is missing, or the tools are shown")
    need(not page.faults(), page.faults())
    page.picture("transcribing-recording")
    page.one("#record").click()
    until(page, "done")
    need(any("Hello" in each for each in page.run("return window.tails")), page.run("return window.tails"))
    need(text(page) == f"{SAID} {SAID}", text(page))
    need(page.shown("#heard-tools") and not page.faults(), page.faults())
    page.picture("transcribing-done")
    colour = lambda selector: page.run("return getComputedStyle(document.querySelector(arguments[0])).color", selector)
    need(colour(".tentative") != colour(".stable"), "preliminary text looks like finished text")


def tells(page):
    told = page.run("return window.told")
    need(told.count(SAID) == 2 and "Recording" in told and any("complete" in each for each in told), told)
    need(not [each for each in told if each == "Hello,"], told)


def plays(page):
    times = page.run("return [...document.querySelectorAll('#heard span')].length")
    need(times >= 4, f"there are only {times} words")
    page.run("document.querySelectorAll('#heard p:not(.tail) span')[2].click()")
    page.wait(lambda: page.run("return Number(document.getElementById('heard-place').value)") > 1.5, "the recording plays from the word")
    page.wait(lambda: page.run("return document.querySelector('#heard .now')?.textContent") in ("Hello,", "world."), "the word is marked")
    page.one("#heard-play").click()


def edits(page):
    page.one("#heard-edit").click()
    page.wait(lambda: page.focused() == "heard-field", "the field has the focus")
    page.run("const f = document.activeElement; f.value = f.value.replace('Hello, world.', 'Hello, wide new world.')")
    page.press(Keys.ESCAPE)
    page.wait(lambda: text(page) == f"Hello, wide new world. {SAID}", "the edit is applied")
    need(page.focused() == "heard-edit", page.focused())


def saved(page, form):
    page.run("""
      window.savedText = null;
      window.makeAddress ??= URL.createObjectURL;
      URL.createObjectURL = (blob) => { blob.text?.().then((text) => (window.savedText = text)); return window.makeAddress(blob); };""")
    page.run("document.querySelector(`.saves [value=${arguments[0]}]`).click()", form)
    return page.wait(lambda: page.run("return window.savedText"), "the file is saved")


def saves(page):
    need(re.fullmatch(rf"Hello, wide new world\.\s+{SAID}\n", saved(page, "txt")), saved(page, "txt"))
    srt, vtt = saved(page, "srt"), saved(page, "vtt")
    need(re.match(r"1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\nHello, wide new world\.\n", srt), srt)
    need(vtt.startswith("WEBVTT\n\n00:00:00."), vtt)
    page.run("document.getElementById('heard-copy').click()")


def values(page):
    """Checks the text and time functions directly with values."""
    found = page.browser.execute_async_script("""
      const done = arguments[0];
      (async () => {
        const at = (name) => import(new URL(`page/transcribing/${name}.js`, document.baseURI));
        const { added, edited, empty, wordAt } = await at("transcript");
        const { subtitles } = await at("cues");
        let one = empty();
        const times = (value) => value.words.map((word) => [value.text.slice(word.from, word.to), +word.start.toFixed(2), +word.end.toFixed(2)]);
        one = added(one, { text: " One two.", start: 1, end: 2, words: [{ start: 1, end: 1.4, from: 1, to: 4 }, { start: 1.5, end: 2, from: 5, to: 9 }] });
        one = added(one, { text: "Three four.", start: 3, end: 4, words: [] });
        const paragraph = added(one, { text: "Five.", start: 9, end: 10 });
        const long = added(empty(), { text: Array.from({ length: 120 }, (_, number) => `word${number}`).join(" "), start: 0, end: 60 });
        const cues = subtitles(long, "srt").trim().split("\\n\\n").map((cue) => cue.split("\\n").slice(1));
        const seconds = (stamp) => stamp.split(":").reduce((sum, part) => sum * 60 + Number(part.replace(",", ".")), 0);
        const spans = cues.map(([time]) => time.split(" --> ").map(seconds));
        done({
          text: one.text, times: times(one), paragraph: paragraph.text,
          same: edited(one, one.text) === one, rewritten: times(edited(one, "One and two. Three, four")),
          replaced: times(edited(one, "All new")), emptied: times(edited(one, "")),
          at: [0, 1.2, 1.45, 9].map((time) => wordAt(one, time)),
          lines: Math.max(...cues.map((cue) => cue.length - 1)), letters: Math.max(...cues.flatMap((cue) => cue.slice(1)).map((line) => line.length)),
          longest: Math.max(...spans.map(([from, to]) => to - from)), ordered: spans.every(([from], index) => index === 0 || from >= spans[index - 1][1]),
          words: cues.flatMap((cue) => cue.slice(1)).join(" ").split(" ").length,
          none: subtitles(empty(), "vtt"),
        });
      })().catch((error) => done({ error: String(error) }));""")
    third, fourth = ["Three", 3, 3.45], ["four.", 3.55, 4]
    wanted = {
        "text": "One two. Three four.", "times": [["One", 1, 1.4], ["two.", 1.5, 2], third, fourth],
        "paragraph": "One two. Three four.\n\nFive.", "same": True,
        "rewritten": [["One", 1, 1.4], ["and", 1.4, 1.5], ["two.", 1.5, 2], ["Three,", 3, 3.45], ["four", 3.55, 4]],
        "replaced": [["All", 1, 2.29], ["new", 2.71, 4]], "emptied": [], "at": [-1, 0, 0, 3], "lines": 2, "ordered": True, "words": 120,
        "none": "WEBVTT\n\n"}
    for name, value in wanted.items():
        need(found.get(name) == value, f"{name}: {found.get(name)}; all: {found}")
    need(found["letters"] <= 42 and found["longest"] <= 7.001, found)


def files(page):
    again(page)
    path = page.sound
    page.one("#heard-file").send_keys(path)
    until(page, "done")
    need(text(page).startswith(SAID) and page.shown("#heard-playback"), text(page))
    page.wait(lambda: "talk.wav" in page.text("#heard-list .chosen"), "the transcript is listed")
    again(page)
    need(drop(page, path, "dropped.wav"), "the page does not take the file")
    until(page, "done")
    page.wait(lambda: "dropped.wav" in page.text("#heard-list .chosen"), "the transcript is listed")


def drop(page, path, name):
    """Drops a file on the screen, and returns whether the page takes it."""
    return page.browser.execute_async_script("""
      const done = arguments[2];
      const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], arguments[1], { type: "audio/wav" }));
      const drop = (type) => !document.getElementById("transcribing").dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
      done(["dragover", "drop"].every(drop));""", _base64(path), name)


def _base64(path):
    import base64
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()


def recorder(page):
    """Checks the browser's recorder, whose WebM header contains no length. A truncated recording is rejected."""
    found = page.browser.execute_async_script("""
      const done = arguments[0];
      (async () => {
        const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
        const recorder = new MediaRecorder(stream, { mimeType: "audio/webm;codecs=opus" });
        const parts = [];
        recorder.ondataavailable = (event) => parts.push(event.data);
        const stopped = new Promise((resolve) => (recorder.onstop = resolve));
        recorder.start(100);
        setTimeout(() => recorder.stop(), 9000);
        await stopped;
        stream.getTracks().forEach((track) => track.stop());
        const whole = new Blob(parts, { type: "audio/webm" });
        const post = async (blob) => {
          const body = new FormData();
          body.append("file", blob, "talk.webm");
          body.append("model", "whisper-1");
          const response = await fetch(new URL("v1/audio/transcriptions", document.baseURI), { method: "POST", body });
          return [response.status, await response.json()];
        };
        done([await post(whole), await post(whole.slice(0, whole.size * 0.9 + 1))]);
      })().catch((error) => done({ error: String(error) }));""")
    need(isinstance(found, list), found)
    (status, answer), (cut, refusal) = found
    need(status == 200 and answer["text"].startswith(SAID), found)
    need(cut == 400 and "truncated" in refusal["error"]["message"], found)


def rows(page):
    return len(page.shown("#heard-list .row"))


def keeps(page):
    again(page)
    before = page.wait(lambda: rows(page), "the transcripts are listed")
    page.shown("#heard-list .pick")[0].click()
    page.wait(lambda: text(page).startswith(SAID) and page.shown("#heard-playback"), "the transcript is shown with its audio")
    page.shown("#heard-list .actions button")[0].click()
    page.wait(lambda: rows(page) == before - 1 and page.focused() == "heard-undo", "the transcript is removed")
    page.one("#heard-undo").click()
    page.wait(lambda: rows(page) == before, "the transcript is restored")
    page.one("#heard-forget-all").click()
    page.wait(lambda: rows(page) == 0, "all transcripts are removed")
    again(page)
    need(rows(page) == 0, "removed transcripts are listed again")


def problem(page, name):
    title = TEXTS[f"trouble-{name}"]
    page.wait(lambda: page.shown("#heard-problem") and title in page.text("#heard-problem"), f"the error is “{title}”")
    told = page.text("#heard-problem-title")
    need(page.text("#heard-problem-remedy") and any(told in each for each in page.run("return window.told")), page.run("return window.told"))
    need(not page.faults(), page.faults())
    page.run("document.querySelector('#heard-problem button:last-child').click()")
    need(not page.shown("#heard-problem"), "the error cannot be closed")


def fails(page):
    again(page)
    allow(page, "denied")
    page.one("#record").click()
    problem(page, "denied")
    allow(page)
    for error, name in [("NotFoundError", "noMicrophone"), ("NotReadableError", "micBusy")]:
        page.run(REFUSE, error)
        page.one("#record").click()
        problem(page, name)
    page.run("Object.defineProperty(window, 'isSecureContext', { value: false, configurable: true })")
    page.one("#record").click()
    problem(page, "insecure")
    again(page)
    for code, close, name in [("busy", 1013, "overloaded"), ("model_not_downloaded", None, "noModel"), ("unsupported_language", None, "otherLanguage"),
                              ("recognizer_failed", None, "recognizerFailed"), ("no_recognizer", None, "noRecognizer")]:
        page.run(REFUSING_SOCKET, code, close)
        page.one("#record").click()
        problem(page, name)
        until(page, "ready", "done")
    page.run("window.WebSocket = window.RealSocket")
    bad = os.path.join(page.downloads, "bad.wav")
    with open(bad, "w") as file:
        file.write("no sound")
    page.one("#heard-file").send_keys(bad)
    problem(page, "unreadable")
    need(not page.shown("#heard-playback"), "the playback controls of an unreadable file are shown")
    page.browser.execute_async_script("""
      const data = new DataTransfer();
      const file = new File([""], "long.wav", { type: "audio/wav" });
      Object.defineProperty(file, "size", { value: 3e8 });
      import(new URL("page/transcribing/bar.js", document.baseURI)).then((bar) => (bar.openFile(file), arguments[0]()));""")
    problem(page, "tooLarge")


def breaks(page, outside):
    again(page)
    page.run("window.told.length = 0")
    page.one("#record").click()
    until(page, "recording")
    page.wait(lambda: text(page).count(SAID) == 1, "the first sentence is transcribed")
    outside("/end")
    page.wait(lambda: page.shown("#heard-problem .main"), "the error is shown")
    need("saved" in page.text("#heard-problem-remedy") or "running" in page.text("#heard-problem-remedy"), page.text("#heard-problem"))
    outside("/start")
    page.wait(lambda: page.run("return fetch('health').then((one) => one.ok, () => false)"), "the service responds again")
    page.one("#heard-problem .main").click()
    until(page, "done")
    need(text(page).startswith(SAID) and not page.shown("#heard-problem"), text(page))
    page.wait(lambda: rows(page) == 1, "the transcript is stored once, and failed attempts are not stored")


def two_pages(page):
    again(page)
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    second = page.browser.current_window_handle
    again(page)
    try:
        page.one("#record").click()
        until(page, "recording")
        page.browser.switch_to.window(first)
        page.one("#record").click()
        until(page, "recording")
        for window in (second, first):
            page.browser.switch_to.window(window)
            page.wait(lambda: SAID in text(page), "the speech is transcribed")
            page.one("#record").click()
            until(page, "done")
    finally:
        page.browser.switch_to.window(second)
        page.browser.close()
        page.browser.switch_to.window(first)


def keyboard(page):
    again(page)
    page.run("document.getElementById('record').focus()")
    page.press(Keys.ENTER)
    until(page, "recording")
    page.wait(lambda: SAID in text(page), "the speech is transcribed")
    page.press(Keys.ESCAPE)
    until(page, "done")
    reached = set()
    page.run("document.getElementById('leave-transcribing').focus()")
    for _ in range(60):
        reached.add(page.focused())
        need(page.run("return getComputedStyle(document.activeElement).outlineStyle") != "none" or page.run("return document.activeElement === document.body"),
             f"the focus on {page.focused()} is not visible")
        page.press(Keys.TAB)
    wanted = {"heard-speak", "heard-copy", "heard-edit", "heard", "heard-chip", "heard-play", "heard-place", "record", "heard-open"}
    need(wanted <= reached, wanted - reached)
    page.run("document.getElementById('heard').focus()")
    page.press(Keys.ARROW_RIGHT, Keys.ENTER)
    page.wait(lambda: page.run("return document.querySelector('#heard .now') !== null"), "a word is marked")
    page.run("document.getElementById('heard-chip').focus()")
    page.press(Keys.ENTER)
    page.wait(lambda: page.is_open("listening"), "the options are open")
    page.run("const f = document.getElementById('own-words'); f.value = 'Zaphod'; f.dispatchEvent(new Event('input'))")
    order = page.browser.execute_async_script(
        "import(new URL('page/transcribing/recorder.js', document.baseURI)).then((one) => arguments[0](one.order()))")
    need((order["keywords"], order["model"]) == (["Zaphod"], "scripted/script-of-the-checks"), order)
    need(not page.faults(), page.faults())
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.is_open("listening") and page.focused() == "heard-chip", "the options are closed, and the focus is back")


def reads(page):
    page.one("#heard-speak").click()
    page.wait(lambda: page.shown("#player") and not page.shown("#transcribing"), "the reader is shown")
    page.wait(lambda: page.run("return window.sentences.some((one) => one.includes('Hello'))"), "the transcript is read aloud")
    page.until("ended", "speaking")
    again(page)


def fits(page):
    page.wait(lambda: page.run("return document.getElementById('heard-list').children.length > 0"), "the transcripts are listed")
    page.click(page.shown("#heard-list .pick")[0])
    page.wait(lambda: page.shown("#heard-tools"), "a transcript is shown")
    page.picture("transcribing")
    record = page.one("#record").rect
    need(record["y"] + record["height"] <= page.height, record)
    return page.is_narrow()


def german(page):
    page.run("const m = document.getElementById('page-language'); m.value = 'de'; m.dispatchEvent(new Event('change'))")
    page.wait(lambda: page.all("#record") and page.text("#record") == "Aufnehmen", "the page is in German")
    page.picture("transcribing-german")
