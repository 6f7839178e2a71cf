#!/usr/bin/env python3
"""Checks that an installed service serves its page: each file that is referenced by the page, its modules, its style sheets and its texts
must load, and no installed file may be unused.

Usage: page.py PREFIX
"""

import json
import os
import re
import select
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

LIMIT = 600
TYPES = {"": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
# Patterns for references to other files, by extension.
NAMES = {
    "": [r'(?:href|src)="([^"#]+)"'],
    ".js": [r'(?:import|from)\s*\(?\s*"(\.[^"]+)"', r'["`](page/[^"`$]+)'],
    ".css": [r'url\("?([^")]+)"?\)', r'@import\s+"([^"]+)"'],
}


def main():
    prefix = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        service = subprocess.Popen(
            [os.path.join(prefix, "bin", "synthhost"), "serve", "--http", "127.0.0.1:0"],
            env=os.environ | {"XDG_RUNTIME_DIR": folder}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        try:
            came = follow(link(service))
        finally:
            service.terminate()
            service.wait(LIMIT)
    print(f"{len(came)} files were served: {' '.join(sorted(came))}")
    in_vain = files(os.path.join(prefix, "lib", "synthhost", "page")) - came
    sys.exit(f"These files are not referenced: {in_vain}." if in_vain else 0)


def link(service):
    """Returns the URL of the page in the service's message."""
    said = b""
    while not (found := re.search(rb"(http://127\.0\.0\.1:\d+/)#token=", said)):
        if not select.select([service.stderr], [], [], LIMIT)[0]:
            sys.exit(f"The service printed no link: {said!r}")
        piece = os.read(service.stderr.fileno(), 4096)
        if not piece:
            sys.exit(f"The service exited: {said!r}")
        said += piece
    return found.group(1).decode()


def follow(start):
    """Loads the page and all files to which it refers. Returns their names."""
    came, left = {}, [start]
    while left:
        url = left.pop()
        if url in came:
            continue
        came[url] = text = get(url)
        # Scripts refer to modules relative to themselves ("./x.js"), and to fetched files relative to the page.
        left += [
            urllib.parse.urljoin(start if name.startswith("page/") else url, name) for name in named(url, text)]
    languages = json.loads(came[urllib.parse.urljoin(start, "page/text.json")])["languages"]
    for language in languages:
        answer = json.loads(get(urllib.parse.urljoin(start, f"page/text.json?lang={language}")))
        if answer["lang"] != language or not answer["strings"]:
            sys.exit(f"The texts for {language} are in {answer['lang']}.")
    paths = {url.removeprefix(start) for url in came} - {"page/text.json"}
    # The page loads the texts of the transcription screen on demand, and only in its own language.
    later = {f"transcribing/text/{tag}.json" for tag in languages}
    for name in later:
        get(urllib.parse.urljoin(start, f"page/{name}"))
    return {path.removeprefix("page/") or "index.html" for path in paths} | {f"text/{tag}.json" for tag in languages} | later


def get(url):
    try:
        answer = urllib.request.urlopen(url, timeout=LIMIT)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        text = answer.read().decode()
        wanted, found, status = TYPES[ending(url)], answer.headers.get_content_type(), answer.status
    if (status, found) != (200, wanted) or not text:
        sys.exit(f"{url} was served with status {status}, as {found}, with {len(text)} characters.")
    return text


def named(url, text):
    return [name for pattern in NAMES.get(ending(url), []) for name in re.findall(pattern, text)]


def ending(url):
    return os.path.splitext(urllib.parse.urlsplit(url).path)[1]


def files(folder):
    """Returns the relative paths of all files in a folder."""
    return {os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names}


if __name__ == "__main__":
    main()
