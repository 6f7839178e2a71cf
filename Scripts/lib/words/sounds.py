"""What of a phoneme string is compared."""

import re
import unicodedata

# espeak-ng marks words of another language: "(en)wiːkˈɛnd(fr)".
FLAG = re.compile(r"\([a-z]{2,3}(-[a-z0-9-]+)?\)")
STRESS = "ˈˌ"
TIE = "\u0361"
# Sounds that a speaker changes without changing the word: how open or how weak a vowel is, how long a sound is, a tap.
COLOURS = str.maketrans(
    {"ɛ": "e", "ɔ": "o", "ʊ": "u", "ɐ": "ə", "ᵻ": "ə", "ɪ": "ə", "ɨ": "ə", "ʌ": "ə", "ᵊ": "ə", "T": "t", "ɾ": "t",
     "ɹ": "r", "ː": None, "ʲ": None})


def plain(phonemes):
    """The phonemes without stress, spaces, pauses and punctuation."""
    phonemes = FLAG.sub("", phonemes)
    return "".join(
        symbol for symbol in unicodedata.normalize("NFD", phonemes)
        if symbol not in STRESS and symbol != TIE and unicodedata.category(symbol)[0] not in "PZCS" or symbol in "˥˦˧˨˩")


def coarse(symbols):
    """`plain` symbols without the colour of vowels. Not quite the same word may become the same."""
    return symbols.translate(COLOURS)
