"""Checks what visitors without the token can see on the page."""

from page_driver import Told, need
from page_texts import SIZES
from page_voices import details
from selenium.webdriver.common.keys import Keys

WRONG = "wrong-token-that-is-long-enough"


def forget(page):
    page.browser.delete_all_cookies()
    page.command("Network.clearBrowserCookies")


def reads_untrusted(page):
    """Checks an address that is open to all users of this machine. The page is in German."""
    forget(page)
    page.open(page.origin)
    need(not page.shown("#token-notice"), "the page asks for the token, which is not required yet")
    page.type("One without a token.")
    page.run("window.sentences = []; window.heard = []")
    page.one("#speak").click()
    page.wait(lambda: page.run("return window.sentences.some((one) => one.includes('without'))"), "the text is spoken")
    page.until("ended")
    before = page.run("return window.heard.length")
    details(page)
    page.one("#hear").click()
    page.wait(lambda: page.run("return window.heard.length") > before, "a preview is played")
    page.one("#rate").send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: "Nur in diesem Browser" in page.text("#tuning-note"), "the note says where the settings are stored")
    need(not page.shown("#alarm") and not page.shown("#token-notice"), "an error or the token's form is shown")
    page.one("#choose").click()
    page.wait(lambda: page.shown("#token-notice"), "the token is required")
    need("Schlüssel" in page.text("#alarm") and page.focused() == "token", page.focused())


def stranger(page):
    forget(page)
    page.open(page.origin)
    page.sheet("voices")
    rook = page.wait(lambda: page.row("Rook"), "the voice is listed")
    page.button(rook, "Herunterladen").click()
    page.wait(lambda: page.shown("#token-notice"), "the page asks for the token")
    need(page.focused() == "token", page.focused())
    asked = page.text("#alarm")
    page.press(WRONG, Keys.ENTER)
    page.wait(lambda: page.shown("#alarm") and page.text("#alarm") != asked, "an error says that the token is wrong")
    page.run("document.getElementById('alarm-close').click()")
    need(not page.shown("#alarm") and page.focused() != "BODY", "the error cannot be closed, or the focus is lost")
    page.run("document.getElementById('token').focus()")
    page.run("document.getElementById('token').value = ''")
    page.press(page.link.split("token=")[1], Keys.ENTER)
    page.wait(lambda: page.all("#token-notice") and not page.shown("#token-notice"), "the token is accepted")


def shut(page, _):
    """Checks an address where everything requires the token."""
    told = Told("page at an address for other machines")
    page.size(1280, 800)
    told("shows only the form for the token to users without it", lambda: alone(page))
    told("has no serious axe violations then", lambda: page.faults() or None)
    for scheme in ["light", "dark"]:
        page.media(prefers_color_scheme=scheme)
        for size in SIZES:
            page.size(*size)
            page.picture(f"17-gate-{scheme}")
    page.media()
    page.size(1280, 800)
    told("reports a wrong token", lambda: wrong(page))
    told("opens with the token", lambda: opens(page))
    page.size(320, 640)
    told("does not scroll horizontally at 320 pixels without the token", lambda: alone(page) or page.is_narrow())
    told("opens with the link", lambda: page.open())
    told("sends no requests to other servers", lambda: page.asked_elsewhere() or True)


def alone(page):
    forget(page)
    before = len(page.asked())
    page.go(page.origin)
    page.wait(lambda: page.shown("#token"), "the page asks for the token")
    page.wait(lambda: page.focused() == "token", "the field has the focus")
    usable = [element.get_attribute("id") or element.text
              for element in page.shown("a, button, input, select, textarea, summary, [tabindex]")]
    need(usable == ["token", "Open", "Show the key", "page-language"], usable)
    need([element.text for element in page.shown("h1, h2")] == ["synthhost", "This page is private"], "the page shows other headings")
    need(page.text("#token-notice p").startswith("Open the link that synthhost showed"), "the page does not explain the link first")
    need(page.width > 640 or "computer that runs synthhost" in page.text("#token-notice .elsewhere"), "a phone does not show where to find the link")
    need(page.width < 1000 or page.run("return document.documentElement.scrollHeight <= innerHeight"), "the page scrolls although everything fits")
    need("terminal" not in page.text("#token-notice"), "the page mentions a terminal to users who do not need one")
    page.one("#token-find summary").click()
    need("run this command" in page.text("#token-find") and "http-token" in page.text("#token-line") and page.shown("#token-copy"), "the page does not explain how to find the token")
    page.one("#token-find summary").click()
    page.one("#token").click()
    need(page.run("const one = getComputedStyle(document.getElementById('token-notice')); return one.borderColor")
         != page.run("const one = document.createElement('p'); one.style.color = 'var(--warn)'; document.body.append(one);"
                     "const found = getComputedStyle(one).color; one.remove(); return found"), "the notice looks like an error")
    paths = [url.removeprefix(page.origin) for url in page.asked()[before:]]
    need([path for path in paths if path.startswith(("api/", "v1/"))] == ["api/session"], f"the page requests more than the session: {paths}")


def wrong(page):
    page.press(WRONG, Keys.ENTER)
    page.wait(lambda: page.shown("#alarm"), "the error is shown")
    page.one("#alarm-close").click()
    need(page.focused() == "token" and not page.shown("#player"), page.focused())
    page.run("document.getElementById('token').value = ''")


def opens(page):
    # Visitors who have the link can paste all of it; they need not extract the token.
    page.press(page.link, Keys.ENTER)
    page.wait(lambda: page.shown("#chip, #callout"), "the voice is shown")
    need(not page.shown("#token-notice") and page.shown("#speak") and page.all("#skip"), "the page is incomplete")
    need(page.run("return document.cookie") == "", "a script can read the cookie")
