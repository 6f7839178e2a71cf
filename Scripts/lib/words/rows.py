"""The lists of Tests/SpokenLists: sentences and the words that should be said."""

import os
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FOLDER = os.path.join(ROOT, "Tests", "SpokenLists")
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja")


@dataclass(frozen=True)
class Row:
    language: str
    part: str
    """`open` or `unread`."""
    category: str
    text: str
    readings: tuple


def read(languages, unread):
    """The rows of these languages, the open ones first; without the unread ones unless they are asked for."""
    found = []
    for part in ("open", "unread") if unread else ("open",):
        for language in languages:
            with open(os.path.join(FOLDER, part, f"{language}.tsv"), encoding="utf-8") as file:
                for line in file:
                    category, text, *readings = line.rstrip("\n").split("\t")
                    found.append(Row(language, part, category, text, tuple(readings)))
    return found
