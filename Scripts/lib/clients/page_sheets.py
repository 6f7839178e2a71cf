"""Checks the size of sheets and panels, and what stays visible."""

from page_driver import need
from page_texts import LONG
from selenium.webdriver.common.keys import Keys

SIZES = [(360, 640), (390, 844), (820, 1180), (1280, 800)]
BOX = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.top, box.bottom, box.height, box.left]"


def leave_player(page):
    """Checks that the player can be used below each sheet, at each screen size."""
    before = page.width, page.height
    page.type(LONG)
    for size in SIZES:
        page.size(*size)
        for name in ["voices", "saving", "shelf", "look", "pace"]:
            page.sheet(name)
            sheet, play = page.run(BOX, f"#{name}"), page.run(BOX, "#speak")
            need(sheet[1] <= play[0] and play[1] <= size[1], f"{size}, {name}: the sheet ends at {sheet[1]}, the button starts at {play[0]}")
            need(sheet[2] > 150, f"{size}, {name}: the sheet is only {sheet[2]} pixels high")
            page.wait(lambda: page.run(
                "const one = arguments[0].getBoundingClientRect();"
                "return arguments[0].contains(document.elementFromPoint(one.x + one.width / 2, one.y + one.height / 2))",
                page.one("#speak")), "nothing covers the button")
            page.press(Keys.ESCAPE)
            page.wait(lambda: not page.is_open(name), "the sheet is closed")
            need(page.focused() != "BODY", f"{size}, {name}: the focus is lost")
    page.size(360, 640)
    page.sheet("voices")
    page.one("#speak").click()
    page.until("speaking")
    need(page.is_open("voices"), "playing closed the sheet")
    page.stop()
    page.shut()
    page.size(*before)


def look_leaves_text(page):
    """Checks that the text stays visible, and is not dimmed, while the user chooses its appearance."""
    before = page.width, page.height
    page.type(LONG)
    for size in SIZES[:2]:
        page.size(*size)
        page.sheet("look")
        sheet, text = page.run(BOX, "#look"), page.run(BOX, "#text")
        need(sheet[2] <= size[1] / 2, f"{size}: the sheet is {sheet[2]} pixels high")
        need(sheet[0] - max(text[0], 52) > size[1] / 5, f"{size}: only {sheet[0] - text[0]} pixels of the text are visible")
        need(not page.run("return document.querySelector('dialog:modal')"), "the page is dimmed")
        page.shut()
    page.size(*before)


def rows_are_tall(page):
    """Checks that all touch targets in the sheets are 44 pixels high."""
    page.sheet("voices")
    small = page.run("""
      return [...document.querySelectorAll("#voices button, #voices summary, #voices .row, .player button, .tools button")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < (one.matches(".callout .main") ? 36 : 44))
        .map((one) => one.outerHTML.slice(0, 80));""")
    page.shut()
    need(not small, small)
