"""Checks saving audio and subtitles, and the commands for programs."""

import glob
import os
import subprocess
import sys
import tempfile

from page_driver import LIMIT, need
from page_texts import LONG, TEXT


def length(path):
    found = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], stdout=subprocess.PIPE,
        text=True, check=True)
    return float(found.stdout)


def pick(page, fieldset, value):
    page.run(f"document.querySelector('#{fieldset} input[value={value}]').click()")


def saved(page, ending):
    return all_saved(page, ending, 1)[0]


def all_saved(page, ending, count):
    """Waits for this many complete files."""
    def found():
        files = [path for path in glob.glob(os.path.join(page.downloads, f"*.{ending}")) if os.path.getsize(path) > 0]
        return len(files) >= count and not glob.glob(os.path.join(page.downloads, "*.crdownload")) and files
    return page.wait(found, f"the {ending} file is complete")


def save(page):
    page.type(TEXT)
    page.sheet("saving")
    page.picture("save")
    for name in ["mp3", "opus", "flac", "wav"]:
        pick(page, "formats", name)
        page.run("document.getElementById('saved').textContent = ''")
        page.one("#save").click()
        page.wait(lambda: "was saved" in page.text("#saved"), "the file is saved")
        need(length(saved(page, name)) > 2, f"{name}: {length(saved(page, name))} s")
    pick(page, "subtitles", "srt")
    pick(page, "formats", "mp3")
    page.run("document.getElementById('saved').textContent = ''")
    page.one("#save").click()
    page.wait(lambda: page.shown("#saved-subtitles"), "the subtitles are offered")
    page.one("#saved-subtitles").click()
    with open(saved(page, "srt")) as file:
        lines = file.read()
    need(lines.startswith("1\n00:00:00,") and "Four five six!" in lines and lines.count(" --> ") == 3, lines)
    # The audio for the subtitles has also been saved.
    all_saved(page, "mp3", 2)
    pick(page, "subtitles", "none")
    pick(page, "formats", "mp3")
    page.shut()


def cancelled(page):
    """Cancels saving a long text."""
    before = len(os.listdir(page.downloads))
    page.type(LONG * 20)
    page.sheet("saving")
    page.one("#save").click()
    page.wait(lambda: "%" in page.text("#saved-bytes"), "the percentage is shown")
    page.picture("saving")
    page.one("#save-cancel").click()
    page.wait(lambda: "Nothing was saved" in page.text("#saved"), "the cancellation is shown")
    need(page.focused() == "save" and not page.shown("#save-cancel"), page.focused())
    need(len(os.listdir(page.downloads)) == before, "a part of the file was saved")
    page.shut()


HARD = "It's \"hard\": $HOME `x` \\ and ü."


def lines(page, name, command, environment=None):
    page.type(HARD)
    page.sheet("saving")
    page.wait(lambda: "hard" in page.run("return document.getElementById('code-curl').textContent"), "the commands show the new text")
    code = page.run(f"return document.getElementById('code-{name}').textContent")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*command, code], cwd=folder, check=True, timeout=LIMIT, stderr=subprocess.PIPE, env=environment)
        need(length(os.path.join(folder, "speech.mp3")) > 1, "the file contains no audio")
    page.shut()


def curl(page):
    lines(page, "curl", ["bash", "-c"])


def python(page):
    lines(page, "python", [sys.executable, "-c"])


def command(page):
    page.sheet("saving")
    code = page.run("return document.getElementById('code-synthhost').textContent")
    need(code.startswith("synthhost speak -v 'piper/en_US-tern-x_low' -o speech.mp3 '"), code)
