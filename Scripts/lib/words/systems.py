"""The systems under comparison, and how a row is judged.

A system prepares a text (or leaves it unchanged) and reads the words as phonemes. A row is correct if its prepared text has the same
phonemes as one of its readings. Readings consist of plain words, and the same reader converts them to phonemes without preparation.
"""

import functools
import subprocess
from dataclasses import dataclass
from typing import Callable, Optional

from words import peers, program
from words.rows import LANGUAGES
from words.sounds import coarse, plain

ALL = frozenset(LANGUAGES)
ESPEAK = {language: language for language in ALL} | {"en": "en-us", "zh": "cmn"}
# Kokoro's letters for languages in which its reader uses espeak-ng's phonemes.
KOKORO = {"en": "a", "es": "e", "fr": "f", "it": "i", "pt": "p"}


@dataclass(frozen=True)
class System:
    label: str
    languages: frozenset
    sounds: Callable
    """Pairs of language and words → their phonemes."""
    words: Optional[Callable] = None
    """Pairs of language and text → lists of spoken words; `None` if the reader reads the text itself."""


@dataclass(frozen=True)
class Result:
    name: str
    label: str
    right: list
    """For each row, whether it is correct, or `None` if the system does not support the language."""
    near: list
    """For each incorrect row, whether it would be correct if vowel quality were ignored."""
    said: list
    """For each row: the words, or the phonemes if the system has no words of its own."""


@functools.cache
def repaired():
    """Returns espeak-ng's voices. For Mandarin, uses the one with working data, in the same way as our engines."""
    done = subprocess.run(["espeak-ng", "-q", "--ipa", "-v", "cmn", "你"], stdout=subprocess.PIPE, check=True)
    return ESPEAK | ({"zh": "cmn-latn-pinyin"} if b"(en)" in done.stdout else {})


@functools.cache
def _prepared(asked):
    return [[line["said"] for line in lines] for lines in program.prepared(asked)]


def prepared(asked):
    # All of our engines get the same text, so it is prepared only once.
    return _prepared(tuple(asked))


SYSTEMS = {
    "host-espeak-ng": System(
        "synthhost, espeak-ng", ALL, lambda asked: program.espeak(repaired(), asked), prepared),
    "host-piper": System("synthhost, Piper", ALL, lambda asked: program.piper(ESPEAK, asked), prepared),
    "host-kokoro": System(
        "synthhost, Kokoro", frozenset(KOKORO),
        lambda asked: [text["symbols"] for text in program.kokoro(KOKORO, asked, peers.lexicon())], prepared),
    "espeak-ng": System("espeak-ng", ALL, lambda asked: program.espeak(ESPEAK, asked)),
    "piper-tts": System("piper-tts", ALL, lambda asked: peers.ask("piper", asked)),
    "misaki": System("misaki, with its tagger", frozenset(["en"]), lambda asked: peers.ask("misaki", asked)),
    # Russian is excluded, because NeMo's Russian rules return many readings without choosing one.
    "nemo": System(
        "NeMo's rules, espeak-ng", ALL - {"nl", "pl", "ru"}, lambda asked: program.espeak(repaired(), asked),
        lambda asked: [[text] for text in peers.ask("nemo", asked)]),
}
NAMES = tuple(SYSTEMS)
# Kokoro's reader uses misaki's word list.
PEERS = {"host-kokoro", "piper-tts", "misaki", "nemo"}


def judge(name, rows):
    system = SYSTEMS[name]
    known = [row for row in rows if row.language in system.languages]
    texts = [(row.language, row.text) for row in known]
    pieces = system.words(texts) if system.words else [[text] for _, text in texts]
    wanted = {(row.language, piece) for row, said in zip(known, pieces) for piece in said if piece}
    wanted |= {(row.language, reading) for row in known for reading in row.readings}
    ordered = sorted(wanted)
    heard = dict(zip(ordered, system.sounds(ordered)))
    right, near, said = {}, {}, {}
    for row, spoken in zip(known, pieces):
        phonemes = " ".join(heard[row.language, piece] for piece in spoken if piece)
        accepted = {plain(heard[row.language, reading]) for reading in row.readings}
        right[row] = plain(phonemes) in accepted
        near[row] = not right[row] and coarse(plain(phonemes)) in map(coarse, accepted)
        said[row] = " | ".join(spoken) if system.words else " ".join(phonemes.split())
    return Result(
        name, system.label, [right.get(row) for row in rows], [near.get(row) for row in rows],
        [said.get(row, "") for row in rows])
