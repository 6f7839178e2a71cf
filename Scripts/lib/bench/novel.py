"""Provides the text of a public domain book: Pride and Prejudice, from Debian's package of Jane Austen's novels for R."""

import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

from bench.measuring import ROOT

PACKAGE = "r-cran-janeaustenr"
TABLE = "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb"
TITLE = "PRIDE AND PREJUDICE"
# The flags of a character vector, and the type of its elements, in R's file format.
VECTOR, TEXT = struct.pack(">I", 16), 9


def chapters(words):
    """Returns complete chapters with at least `words` words in total, each with a title and paragraphs."""
    found, count = [], 0
    for part in re.split(r"(?m)^(?=Chapter \d+$)", "\n".join(_lines()))[1:]:
        title, *paragraphs = (" ".join(each.split()) for each in re.split(r"\n\s*\n", part.strip()))
        found.append((title, paragraphs))
        count += sum(len(each.split()) for each in paragraphs)
        if count >= words:
            return found
    return found


def _lines():
    """Returns the lines of the novel. Each object in the package's table is compressed separately and preceded by its uncompressed
    length."""
    stored = _table()
    while stored:
        one = zlib.decompressobj()
        lines = _texts(one.decompress(stored[4:]))
        if lines[0] == TITLE:
            return lines
        stored = one.unused_data
    sys.exit(f"{PACKAGE} does not contain {TITLE}.")


def _texts(content):
    place = content.index(VECTOR) + 4
    (count,) = struct.unpack_from(">I", content, place)
    place += 4
    found = []
    for _ in range(count):
        kind, length = struct.unpack_from(">Ii", content, place)
        if kind & 0xFF != TEXT:
            sys.exit(f"{PACKAGE} has an unknown format.")
        found.append(content[place + 8 : place + 8 + length].decode())
        place += 8 + length
    return found


def _table():
    """Returns the table. The package is fetched once but not installed, because that would also install R."""
    kept = os.path.join(ROOT, ".build", "bench-book", "novels")
    if not os.path.exists(kept):
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            script = f"apt-get -qq download {PACKAGE} 2>&1 && dpkg-deb -x {PACKAGE}_*.deb . 2>&1"
            done = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True)
            if done.returncode:
                sys.exit(
                    f"The novel could not be fetched: {done.stdout[-300:].strip()}\n"
                    "Check the network, type `sudo apt-get update`, and run this again. The package is in the main section of Debian.")
            with open(os.path.join(folder, TABLE), "rb") as file:
                content = file.read()
        with open(kept + ".new", "wb") as file:
            file.write(content)
        os.rename(kept + ".new", kept)
    with open(kept, "rb") as file:
        return file.read()
