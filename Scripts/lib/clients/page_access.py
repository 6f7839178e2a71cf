"""What the page shows to visitors without the token."""

from page_driver import Told, need
from page_texts import SIZES
from page_voices import details
from selenium.webdriver.common.keys import Keys

WRONG = "wrong-token-that-is-long-enough"


def forget(page):
    page.browser.delete_all_cookies()
    page.command("Network.clearBrowserCookies")


def reads_untrusted(page):
    """Checks an address on this machine that is open to all of its users. The page is in German."""
    forget(page)
    page.open(page.origin)
    need(not page.shown("#token-notice"), "it asks for what nobody needs yet")
    page.type("One without a token.")
    page.run("window.sentences = []; window.heard = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.sentences.some((one) => one.includes('without'))"), "it reads")
    page.until("ended")
    before = page.run("return window.heard.length")
    details(page)
    page.one("#hear").click()
    page.wait(lambda: page.run("return window.heard.length") > before, "a voice is heard")
    page.one("#rate").send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: "Nur in diesem Browser" in page.text("#tuning-note"), "it is told where this is kept")
    need(not page.shown("#alarm") and not page.shown("#token-notice"), "something went wrong")
    page.one("#choose").click()
    page.wait(lambda: page.shown("#token-notice"), "it says that this needs the token")
    need("Schlüssel" in page.text("#alarm") and page.focused() == "token", page.focused())


def stranger(page):
    forget(page)
    page.open(page.origin)
    page.sheet("voices")
    rook = page.wait(lambda: page.row("Rook"), "it is listed")
    page.button(rook, "Herunterladen").click()
    page.wait(lambda: page.shown("#token-notice"), "it asks for the token")
    need(page.focused() == "token", page.focused())
    asked = page.text("#alarm")
    page.press(WRONG, Keys.ENTER)
    page.wait(lambda: page.shown("#alarm") and page.text("#alarm") != asked, "it says that it is wrong, for all to see")
    page.run("document.getElementById('alarm-close').click()")
    need(not page.shown("#alarm") and page.focused() != "BODY", "what went wrong can be put away")
    page.run("document.getElementById('token').focus()")
    page.run("document.getElementById('token').value = ''")
    page.press(page.link.split("token=")[1], Keys.ENTER)
    page.wait(lambda: page.all("#token-notice") and not page.shown("#token-notice"), "it is taken")


def shut(page, _):
    """Checks an address where everything needs the token."""
    told = Told("page at an address for others")
    page.size(1280, 800)
    told("shows nothing but the token's field to those without it", lambda: alone(page))
    told("has nothing serious for axe then", lambda: page.faults() or None)
    for scheme in ["light", "dark"]:
        page.media(prefers_color_scheme=scheme)
        for size in SIZES:
            page.size(*size)
            page.picture(f"17-gate-{scheme}")
    page.media()
    page.size(1280, 800)
    told("says that a token is wrong", lambda: wrong(page))
    told("opens with the token", lambda: opens(page))
    page.size(320, 640)
    told("needs no scrolling to the side at 320 pixels without the token", lambda: alone(page) or page.is_narrow())
    told("opens with the link", lambda: page.open())
    told("asks no other server for anything", lambda: page.asked_elsewhere() or True)


def alone(page):
    forget(page)
    before = len(page.asked())
    page.go(page.origin)
    page.wait(lambda: page.shown("#token"), "it asks for the token")
    page.wait(lambda: page.focused() == "token", "the field has the focus")
    usable = [element.get_attribute("id") or element.text
              for element in page.shown("a, button, input, select, textarea, summary, [tabindex]")]
    need(usable == ["token", "Open", "Find the key myself", "page-language"], usable)
    need([element.text for element in page.shown("h1, h2")] == ["synthhost", "This reader is private"], "more is shown")
    need(page.text("#token-notice p").startswith("Open the link that synthhost showed"), "the easy way does not come first")
    need(page.width > 640 or "computer where synthhost runs" in page.text("#token-notice .elsewhere"), "a phone is not told where the link is")
    need(page.width < 1000 or page.run("return document.documentElement.scrollHeight <= innerHeight"), "it scrolls over nothing")
    need("terminal" not in page.text("#token-notice"), "a command is in the way of those who need none")
    page.one("#token-find summary").click()
    need("type this" in page.text("#token-find") and "http-token" in page.text("#token-line") and page.shown("#token-copy"), "how to find the key is not told")
    page.one("#token-find summary").click()
    page.one("#token").click()
    need(page.run("const one = getComputedStyle(document.getElementById('token-notice')); return one.borderColor")
         != page.run("const one = document.createElement('p'); one.style.color = 'var(--warn)'; document.body.append(one);"
                     "const found = getComputedStyle(one).color; one.remove(); return found"), "it looks like a fault")
    paths = [url.removeprefix(page.origin) for url in page.asked()[before:]]
    need([path for path in paths if path.startswith(("api/", "v1/"))] == ["api/session"], f"it asks for too much: {paths}")


def wrong(page):
    page.press(WRONG, Keys.ENTER)
    page.wait(lambda: page.shown("#alarm"), "it is told")
    page.one("#alarm-close").click()
    need(page.focused() == "token" and not page.shown("#player"), page.focused())
    page.run("document.getElementById('token').value = ''")


def opens(page):
    # Visitors who have the link do not need to find the token in it.
    page.press(page.link, Keys.ENTER)
    page.wait(lambda: page.shown("#chip, #callout"), "it is told who speaks")
    need(not page.shown("#token-notice") and page.shown("#speak") and page.all("#skip"), "all is there")
    need(page.run("return document.cookie") == "", "a script can read the cookie")
