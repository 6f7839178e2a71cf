"""Reads the lists in Tests/SpokenLists, which contain sentences and the words to speak."""

import os
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FOLDER = os.path.join(ROOT, "Tests", "SpokenLists")
FOLDERS = os.path.join(ROOT, "Sources", "SynthVerbalization", "Languages")


def languages(file):
    """Returns the languages whose folder contains a file. English is first."""
    found = [name for name in os.listdir(FOLDERS) if "-" not in name and os.path.exists(os.path.join(FOLDERS, name, file))]
    return tuple(sorted(found, key=lambda name: (name != "en", name)))


LANGUAGES = languages("language.txt")
# The languages whose rules cover all kinds of written text.
COMPLETE = languages("books.txt")


@dataclass(frozen=True)
class Row:
    language: str
    part: str
    """The folder of its list."""
    category: str
    text: str
    readings: tuple


def read(asked, parts):
    """Returns the rows for these languages in these lists, list by list."""
    found = []
    for part in parts:
        for language in asked:
            path = os.path.join(FOLDER, part, f"{language}.tsv")
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                for line in file:
                    category, text, *readings = line.rstrip("\n").split("\t")
                    found.append(Row(language, part, category, text, tuple(readings)))
    return found
