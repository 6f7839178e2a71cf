"""Normalizes phoneme strings for comparison."""

import re
import unicodedata

# espeak-ng marks words of another language: "(en)wiːkˈɛnd(fr)".
FLAG = re.compile(r"\([a-z]{2,3}(-[a-z0-9-]+)?\)")
STRESS = "ˈˌ"
TIE = "\u0361"
# Differences that do not change the word: the openness or weakness of a vowel, the length of a phoneme, a tap.
COLOURS = str.maketrans(
    {"ɛ": "e", "ɔ": "o", "ʊ": "u", "ɐ": "ə", "ᵻ": "ə", "ɪ": "ə", "ɨ": "ə", "ʌ": "ə", "ᵊ": "ə", "T": "t", "ɾ": "t",
     "ɹ": "r", "ː": None, "ʲ": None})


def plain(phonemes):
    """Returns the phonemes without stress, spaces, pauses and punctuation."""
    phonemes = FLAG.sub("", phonemes)
    return "".join(
        symbol for symbol in unicodedata.normalize("NFD", phonemes)
        if symbol not in STRESS and symbol != TIE and unicodedata.category(symbol)[0] not in "PZCS" or symbol in "˥˦˧˨˩")


def coarse(symbols):
    """Returns `plain` symbols without vowel quality. Slightly different words may become equal."""
    return symbols.translate(COLOURS)
