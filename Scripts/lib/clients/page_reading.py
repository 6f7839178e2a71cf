"""Checks reading aloud: playback, marks and navigation."""

import re
import time

from page_driver import LIMIT, need
from page_letters import marked
from page_texts import LONG, TEXT
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


# Pauses playback as soon as a word is marked. The driver itself may react too late.
PAUSE = """
const done = arguments[0];
const look = () => {
  if (CSS.highlights.get("word").size === 0) return setTimeout(look, 20);
  document.getElementById("speak").click();
  done();
};
look();
"""
# Uses a control, and returns the position on the timeline before and after.
MOVED = """
const line = document.getElementById("timeline");
const before = Number(line.value);
document.getElementById(arguments[0]).click();
return [before, Number(line.value)];
"""


def sentences(page):
    return page.run("return window.sentences")


def numbers(page):
    """Returns the numbers of LONG's sentences that have been played."""
    return [int(number) for sentence in sentences(page) for number in re.findall(r"number (\d+) of", sentence)]


def made(page):
    """Returns the number of requested parts, and the number of the current sentence of LONG."""
    return page.run("""
      const parts = performance.getEntriesByType("resource").filter((one) => one.name.includes("audio/speech"));
      return [parts.length, Number(/number (\\d+) of/.exec(window.sentences.at(-1))[1])];""")


def speak(page):
    page.type(TEXT)
    page.run("window.sentences = []; window.words = []; window.heard = []")
    page.one("#speak").click()
    page.wait(lambda: page.shown("#reading") and not page.shown("#text"), "the formatted text is shown")
    page.until("ended")
    need([sentence.strip() for sentence in sentences(page)] == re.findall(r"\w.*?[.!?]", TEXT), sentences(page))
    # Each frame marks the current word.
    wanted = [word.strip(".!?") for word in TEXT.split()]
    found = [word.strip(".!?") for word in page.run("return window.words")]
    need(found and found == sorted(found, key=wanted.index), found)
    need(page.run("return window.heard.length") >= 3, "fewer than three sentences were played")
    need(page.said() == "Finished", page.said())


def marks_at_once(page):
    """Checks that the next sentence is marked before it plays, and while playback is paused before its first audio."""
    page.type(LONG)
    # Use a single script, so that no audio can arrive in the meantime.
    found = page.run("""
      const sentence = () => [...CSS.highlights.get("sentence")][0]?.toString() ?? "";
      const speak = document.getElementById("speak");
      speak.click();
      const found = [document.documentElement.dataset.state, sentence(), getComputedStyle(speak, "::after").content];
      speak.click();
      return [...found, document.documentElement.dataset.state, sentence()];""")
    need(found[0] == "loading" and found[1].startswith("This is sentence number 1 "), found)
    need(found[2] == '""', f"the button does not show that audio is loading: {found}")
    need(found[3] == "paused" and found[4] == found[1], f"the mark is lost: {found}")
    page.one("#speak").click()
    page.until("speaking")
    page.one("#speak").click()
    page.until("paused")
    need(marked(page)["sentence"], "nothing is marked during the pause")
    page.stop()


def seek(page):
    page.type(LONG)
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: numbers(page), "the text is read")
    need(page.said() in ("Speaking", "Waiting for audio …") and page.label("#speak") == "Pause", page.said())
    page.browser.execute_async_script(PAUSE)
    need(page.label("#speak") == "Continue" and page.said() == "Paused", page.label("#speak"))
    found = marked(page)
    need(found["word"] == found["told"] and found["word"] in found["sentence"], found)
    page.one("#speak").click()
    page.until("speaking")
    for word in ["2", "3"]:
        page.one("#next").click()
    # On a busy machine, the second sentence may already have started.
    page.wait(lambda: any(number >= 3 for number in numbers(page)), "the third sentence is read")
    before, after = page.run(MOVED, "back")
    need(after < before, f"the position changed from {before} to {after}")
    page.one("#forward").click()
    page.one("#previous").click()
    need(page.shown("#reading") and page.state() in ("speaking", "waiting"), page.state())


def click_sentence(page):
    page.one("#speak").click()
    need(page.label("#speak") == "Continue", page.label("#speak"))
    page.run("window.sentences = []")
    place = page.run("""
      // Simulate the mouse wheel, so that the page does not scroll back to the current sentence.
      dispatchEvent(new Event("wheel"));
      const view = document.getElementById("reading");
      const nodes = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
      while (!nodes.nextNode().data.includes("number 12 "));
      const range = document.createRange();
      range.setStart(nodes.currentNode, nodes.currentNode.data.indexOf("number 12 "));
      range.setEnd(nodes.currentNode, range.startOffset + 6);
      scrollTo({ top: scrollY + range.getBoundingClientRect().top - innerHeight / 4, behavior: "instant" });
      const box = range.getClientRects()[0];
      return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];""")
    click(page, place)
    found = page.wait(lambda: numbers(page), "the text is read from the click")
    need(found[0] == 12, f"reading started with {found[0]}, clicked at {place}")


def click(page, place):
    mouse = ActionChains(page.browser)
    mouse.w3c_actions.pointer_action.move_to_location(*place)
    mouse.w3c_actions.pointer_action.click()
    mouse.perform()


def hasty(page):
    page.stop()
    page.type(LONG)
    page.run("for (const id of ['speak', 'previous', 'back', 'previous']) document.getElementById(id).click()")
    page.run("window.sentences = []")
    page.wait(lambda: page.shown("#reading"), "the text is read")
    # On a busy machine, the text may end before the check.
    page.wait(lambda: any(number >= 2 for number in numbers(page)), "the second sentence is read")
    page.run("for (let i = 0; i < 3; i += 1) for (const id of ['next', 'previous']) document.getElementById(id).click();"
             "window.sentences = []")
    page.wait(lambda: len(sentences(page)) > 1, "audio still plays")
    need(page.label("#speak") == "Pause", page.label("#speak"))


def tempo(page, value):
    page.run("const t = document.getElementById('tempo'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))", value)


def faster(page):
    need(page.state() in ("speaking", "waiting"), page.state())
    before, first = made(page)
    page.sheet("pace")
    page.one("#tempo").send_keys(Keys.END)
    need(page.text("#tempo-value") == "3×", page.text("#tempo-value"))
    need(page.run("return [...document.querySelectorAll('#sleep input')].length") == 6, "the sleep timer is missing")
    parts, last = made(page)
    # Each part contains more than 25 sentences.
    need(parts <= before + 1 + (last - first) // 25, "the text was synthesized again")
    page.shut()
    need(page.text("#tempo-shown") == "3×", page.text("#tempo-shown"))
    page.stop()
    tempo(page, 1.5)


def timeline(page):
    """Checks that the timeline can be dragged over the entire text, even where there is no audio yet."""
    tempo(page, 1)
    page.type(LONG)
    need(re.fullmatch(r"about \d+ min left", page.text("#left")), page.text("#left"))
    page.run("window.sentences = []")
    drag(page, 0.5)
    need(page.state() == "idle", "the speech started by itself")
    page.one("#speak").click()
    found = page.wait(lambda: numbers(page), "the text is read from the middle")
    need(150 < found[0] < 250, f"reading started with {found[0]}")
    # The page's script pauses near the end, because the driver would be too slow: the sentences are read quickly.
    page.run("window.onSentence = (text) => / 3\\d\\d /.test(text) && document.getElementById('speak').click()")
    drag(page, 0.9)
    found = page.wait(lambda: [number for number in numbers(page) if number > 300], "the text is read near the end")
    need(330 < found[0] < 390, f"reading continued with {found[0]}")
    page.until("paused")
    page.run("delete window.onSentence")
    drag(page, 0.25)
    need(page.state() in ("paused", "idle"), "the player plays although it was paused")
    need(page.one("#timeline").get_attribute("aria-valuetext").count(":") == 2, "the slider does not announce the time")
    # Play each sentence once, so that all durations are known exactly.
    page.type(TEXT)
    page.one("#speak").click()
    page.until("ended")
    need(re.fullmatch(r"−\d:\d\d", page.text("#left")), f"the remaining time is still an estimate: {page.text('#left')}")


def drag(page, share):
    page.run("""
      const line = document.getElementById("timeline");
      line.value = line.max * arguments[0];
      line.dispatchEvent(new Event("input"));
      line.dispatchEvent(new Event("change"));""", share)


def following(page):
    """Checks that the page follows the reading until the user scrolls, and that one button returns to the sentence."""
    page.type("\n\n".join(f"Paragraph {number} is here. It has two sentences." for number in range(200)))
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.until("speaking")
    deadline = time.monotonic() + LIMIT
    while page.run("return scrollY") < 100 and time.monotonic() < deadline:
        page.one("#next").click()
    need(page.run("return scrollY") >= 100, "the page does not follow the speech")
    need(not page.shown("#follow"), "the button is shown although the page follows the speech")
    page.run("dispatchEvent(new Event('wheel')); scrollTo({ top: 6000, behavior: 'instant' })")
    page.wait(lambda: page.shown("#follow"), "the button to return is shown")
    page.picture("follow")
    place = page.run("return scrollY")
    before = len(sentences(page))
    page.wait(lambda: len(sentences(page)) > before + 1, "reading continues")
    need(abs(page.run("return scrollY") - place) < 200, "the page scrolled back by itself")
    page.one("#follow").click()
    page.wait(lambda: page.run("return scrollY") < 5000 and not page.shown("#follow"), "the page has returned")
    page.stop()


def keys(page):
    """Checks the space bar and the arrow keys outside text fields."""
    page.type("A space here.")
    page.run("document.getElementById('text').focus()")
    page.press(" ")
    need(page.state() == "idle", "a space in the text started the speech")
    page.type(LONG)
    page.run("document.activeElement.blur(); window.sentences = []")
    page.press(" ")
    page.wait(lambda: any(number >= 2 for number in numbers(page)), "the text is spoken")
    page.press(" ")
    page.until("paused")
    before = page.run("return Number(document.getElementById('timeline').value)")
    page.press(Keys.ARROW_LEFT)
    need(page.run("return Number(document.getElementById('timeline').value)") < before, "the position did not go back")
    page.press("k")
    need(page.state() == "paused", "a letter triggers a shortcut although shortcuts are disabled")
    page.sheet("look")
    page.one("#shortcuts").click()
    page.shut()
    page.run("document.activeElement.blur()")
    page.press("k")
    page.until("speaking", "waiting")
    page.sheet("look")
    page.one("#shortcuts").click()
    page.shut()
    page.stop()


def media(page):
    """Checks the media keys of keyboards and lock screens."""
    page.type(LONG)
    page.one("#speak").click()
    page.until("speaking")
    found = page.run("const m = navigator.mediaSession; return [m.playbackState, m.metadata.title, m.metadata.artist]")
    need(found[0] == "playing" and found[1].startswith("This is sentence") and found[2].startswith("Tern"), found)
    page.one("#speak").click()
    page.wait(lambda: page.run("return navigator.mediaSession.playbackState") == "paused", "the system shows the pause")
    page.stop()


def sleeps(page):
    """Checks the sleep timer with a simulated clock."""
    page.run("window.later = []; window.realTimeout = setTimeout;"
             "window.setTimeout = (body, time, ...more) => time >= 60000 ? window.later.push(body) : window.realTimeout(body, time, ...more)")
    page.type(LONG)
    page.one("#speak").click()
    page.until("speaking")
    page.sheet("pace")
    page.run("document.querySelector('#sleep input[value=\"15\"]').click()")
    page.wait(lambda: re.search(r"\b1[0-5] min", page.said()), "the timer is shown")
    page.shut()
    page.run("window.later.at(-1)()")
    page.until("paused")
    need(page.run("return document.querySelector('#sleep input[value=off]').checked"), "the timer is still set")
    page.run("window.setTimeout = window.realTimeout")
    page.stop()


def breaks(page, outside):
    """Kills the engines while reading, and waits until the existing audio has been played."""
    tempo(page, 1)
    page.type(LONG * 6)
    page.run("window.sentences = []")
    page.one("#speak").click()
    page.wait(lambda: numbers(page), "the text is read")
    # The next block is synthesized while this one plays, or when the user requests it.
    deadline = time.monotonic() + LIMIT
    while not page.shown("#broken") and time.monotonic() < deadline:
        outside("/kill-engines")
        page.one("#next").click()
    need(page.shown("#broken") and page.state() == "failed", "the failure is not shown")


def broken(page, outside):
    breaks(page, outside)
    page.picture("broken")
    need(page.said() == "Stopped", page.said())
    need(re.search("^(Tern's engine failed|The connection was lost) here", page.text("#broken p")), f"the cause is not named: {page.text('#broken p')}")
    need([one.text for one in page.shown("#broken button")] == ["Try again", "Use a different voice"], "the two ways to continue are not offered")
    need("network" not in page.text("#broken") and "killed" not in page.text("#broken") and "place is saved" in page.text("#broken p"), page.text("#broken p"))
    page.wait(lambda: page.run("""
      const box = [...CSS.highlights.get("sentence")][0]?.getBoundingClientRect();
      return box && 40 < box.top && box.bottom <= document.getElementById("player").getBoundingClientRect().top;"""),
              "the position of the failure is visible")
    before = page.run("return window.heard.length")
    page.run("window.sentences = []")
    page.one("#previous").click()
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.heard.length") > before, "the last sentence is played again")
    last = numbers(page)[-1]
    page.run("window.sentences = []")
    page.button(page.one("#broken"), "Try again").click()
    page.wait(lambda: numbers(page), "reading continues")
    need(numbers(page)[0] == last + 1, f"after sentence {last}, reading continued with {numbers(page)[0]}")
    page.stop()


# Records the page's scrolling.
SCROLLS = """
window.scrolls = [];
const scrollBy = window.scrollBy;
window.scrollBy = (how) => { window.scrolls.push(how.behavior); return scrollBy.call(window, how); };
"""


def calm(page):
    """Checks animation, with and without the preference for reduced motion."""
    page.open(page.origin)
    page.run(SCROLLS)
    for wish, behaviour in [("no-preference", "smooth"), ("reduce", "instant")]:
        page.media(prefers_reduced_motion=wish)
        page.type("\n\n".join([LONG] * 3))
        duration = page.run("return getComputedStyle(document.getElementById('speak')).transitionDuration")
        need((duration == "0s") == (wish == "reduce"), f"{wish}: {duration}")
        page.run("window.scrolls = []")
        page.one("#speak").click()
        page.until("speaking")
        page.wait(lambda: scrolled_by_next(page), "the text is scrolled")
        need(set(page.run("return window.scrolls")) == {behaviour}, f"{wish}: {page.run('return window.scrolls')}")
        page.stop()
    page.media()


def scrolled_by_next(page):
    page.one("#next").click()
    return page.run("return window.scrolls")


def keyboard(page):
    page.open(page.origin)
    page.press(Keys.TAB)
    need(page.focused() == "skip", page.focused())
    reach(page, "text")
    ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    page.press("By keys alone.")
    reach(page, "speak")
    page.run("window.sentences = []")
    page.press(Keys.ENTER)
    page.wait(lambda: sentences(page), "the text is spoken")
    page.until("ended")
    need(page.focused() != "BODY", "the focus is lost")
    # The chip opens the list of voices, and the focus then returns to the chip.
    page.open(page.origin)
    reach(page, "chip")
    page.press(Keys.ENTER)
    page.wait(lambda: page.is_open("voices"), "the voices are shown")
    page.frame()
    reach(page, "filter")
    page.press("tern")
    page.wait(lambda: page.shown("#found .row"), "the voice is found")
    page.press(Keys.TAB)
    before = page.run("return window.heard.length")
    page.press(Keys.ENTER)
    page.wait(lambda: page.run("return window.heard.length") > before, "the preview is played")
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.is_open("voices"), "the sheet is closed")
    need(page.focused() == "chip", page.focused())


def reach(page, wanted):
    """Moves the focus with the Tab key only. Checks that the focus is not trapped on the way."""
    for _ in range(60):
        if page.focused() == wanted:
            need(page.run("return document.activeElement.matches(':focus-visible')"), "the focus is not visible")
            return
        page.press(Keys.TAB)
    raise AssertionError(f"{wanted} cannot be reached")


def keyboard_list(page):
    page.open(page.origin)
    page.sheet("voices")
    first = page.shown("#all-groups summary")[0].text
    reach(page, page.run("return document.querySelector('#all-groups summary').textContent"))
    page.press(Keys.ENTER)
    page.wait(lambda: page.shown("#all-groups .row"), f"the voices of {first} are shown")
    page.press(Keys.TAB)
    before = page.run("return window.heard.length")
    page.press(Keys.ENTER)
    page.wait(lambda: page.run("return window.heard.length") > before, "a preview is played")
    page.act(lambda: page.click(page.row("Tern").find_element("css selector", ".name")))
    page.shut()
