"""The test sentences: 100 plain sentences, and 100 with numbers, names and symbols to verbalize."""

import os
from dataclasses import dataclass

from words import rows
from words.rows import FOLDER

PLAIN = "plain"
SHORT = 10
"""The number of sentences of each kind that the short test uses, from the start of the kind's file."""


@dataclass(frozen=True)
class Sentence:
    kind: str
    text: str
    readings: tuple

    @property
    def is_plain(self):
        return self.kind == PLAIN


def read(is_short=False):
    with open(os.path.join(FOLDER, "heard", "plain-en.txt"), encoding="utf-8") as file:
        plain = [Sentence(PLAIN, text, (text,)) for text in file.read().splitlines()]
    hard = [Sentence(row.category, row.text, row.readings) for row in rows.read(("en",), ("heard",))]
    return [*plain[:SHORT], *hard[:SHORT]] if is_short else [*plain, *hard]
