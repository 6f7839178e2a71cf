"""Reads the lists in Tests/SpokenLists, which contain sentences and the words to speak."""

import os
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FOLDER = os.path.join(ROOT, "Tests", "SpokenLists")
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja")


@dataclass(frozen=True)
class Row:
    language: str
    part: str
    """The folder of its list."""
    category: str
    text: str
    readings: tuple


def read(languages, parts):
    """Returns the rows for these languages in these lists, list by list."""
    found = []
    for part in parts:
        for language in languages:
            path = os.path.join(FOLDER, part, f"{language}.tsv")
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                for line in file:
                    category, text, *readings = line.rstrip("\n").split("\t")
                    found.append(Row(language, part, category, text, tuple(readings)))
    return found
