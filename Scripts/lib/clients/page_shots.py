"""Takes screenshots of everything that users see, for reviewing the appearance."""

import page_books as books
from page_driver import need

VOICES = ["piper/en_US-tern-x_low", "piper/en_US-flock-x_low"]
PROSE = """The lighthouse

Martha counted the plates twice before she put them away. Nobody had come down from the house since the rain began, and the road \
along the river was gone.

"You could light the lamp," said the boy. He stood in the door with a wet dog and did not look at her. So she lit the lamp, and for a \
while they listened to the wind together."""


def steps(page, outside, scheme, path):
    """Yields all states with a new installation and browser, then the states with installed voices."""
    page.open()
    fresh(page)
    faults = []

    def look_at(name):
        nonlocal faults
        need(page.is_narrow(), f"{name} scrolls horizontally")
        faults += [f"{name}: {fault}" for fault in page.faults()]
        page.picture(f"{name}-{scheme}")

    look_at("01-start-fresh")
    page.sheet("voices")
    look_at("02-voices-fresh")
    outside("/slow")
    page.act(lambda: page.button(page.row("Tern"), "Download").click())
    page.wait(lambda: "B of" in page.row("Tern").text, "the bytes are shown")
    look_at("03-voices-downloading")
    page.shut()
    look_at("04-start-downloading")
    outside("/fast")
    page.wait(lambda: page.speaker() == "Tern", "the voice is installed")
    page.run("return fetch('api/downloads', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
             f"body: JSON.stringify({{ key: '{VOICES[1]}' }}) }}).then((answer) => answer.ok)")
    page.sheet("voices")
    page.wait(lambda: page.offers(page.row("Flock")) == "Listen", "two voices are installed")
    look_at("05-voices-several")
    page.act(lambda: page.shown("#voices .details")[0].click())
    page.wait(lambda: page.shown("#details #sliders"), "the details are shown")
    look_at("06-details")
    page.shut()
    page.type(PROSE)
    look_at("07-text-open")
    speaking(page)
    page.picture(f"08-text-speaking-{scheme}")
    page.one("#speak").click()
    look_at("08-text-read")
    page.run("document.getElementById('reading').replaceChildren()")
    books.drop_in(page, path)
    look_at("09-book-open")
    page.sheet("contents")
    page.shown("#contents-list button")[11].click()
    page.shut()
    speaking(page)
    page.picture(f"10-book-speaking-{scheme}")
    page.one("#speak").click()
    look_at("10-book-read")
    for number, name in enumerate(["contents", "look", "pace", "saving", "shelf"], 11):
        page.sheet(name)
        look_at(f"{number}-{name}")
        page.shut()
    page.type("\n\n".join([PROSE] * 20))
    speaking(page)
    page.run("window.fetch = () => Promise.reject(new TypeError('network error'))")
    page.wait(lambda: page.run("document.getElementById('next').click(); return !document.getElementById('broken').hidden"), "the speech fails")
    look_at("16-broken")
    page.open()
    fresh(page)
    need(not faults, faults)


def speaking(page):
    """Reads until a word is marked in a sentence that is not a heading."""
    page.run("document.documentElement.dataset.word = ''")
    page.one("#speak").click()
    page.wait(lambda: page.run("""
      const { state, word } = document.documentElement.dataset;
      const sentence = [...CSS.highlights.get("sentence")][0]?.toString() ?? "";
      return state === "speaking" && word && sentence.length > 30 && CSS.highlights.get("word").size > 0;"""), "the text is spoken")


def fresh(page):
    """Restores the state without voices and without browser storage."""
    for key in VOICES:
        page.run(f"return fetch('api/voices?key={key}', {{ method: 'DELETE' }}).then((answer) => answer.ok)")
    page.wait(lambda: page.run("return fetch('api/voices').then((one) => one.json()).then(({ voices }) =>"
                               " voices.every((one) => one.engine !== 'piper' || one.state === 'notDownloaded'))"), "the voices are removed")
    forget(page)


def forget(page):
    page.run("localStorage.clear(); addEventListener('pagehide', () => localStorage.clear())")
    page.open(page.origin)
