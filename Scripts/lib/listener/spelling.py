"""Normalizes a recognizer's spellings: "3/4 km" and "three quarters of a kilometer" sound the same.

A reading consists of words, but a recognizer writes digits and symbols. This makes them comparable where Whisper's own English
normalizer does not.
"""

import re

UNITS = {
    "km/h": "kilometers per hour", "kph": "kilometers per hour", "mph": "miles per hour", "km": "kilometers", "kg": "kilograms",
    "cm": "centimeters", "mm": "millimeters", "m": "meters", "ml": "milliliters", "gb": "gigabytes", "mb": "megabytes",
    "ft": "feet", "lbs": "pounds", "°c": "degrees celsius", "°f": "degrees fahrenheit", "°": "degrees"}
SHORT = {
    "vs": "versus", "etc": "et cetera", "ave": "avenue", "sgt": "sergeant", "gen": "general", "gov": "governor",
    "sen": "senator", "dept": "department", "approx": "approximately", "ms": "miss"}
ROMAN = {"II": "2nd", "III": "3rd", "IV": "4th", "V": "5th", "VI": "6th", "VII": "7th", "VIII": "8th"}
FRACTIONS = {
    "1/2": "one half", "1/3": "one third", "2/3": "two thirds", "1/4": "one quarter", "3/4": "three quarters",
    "½": "one half", "¼": "one quarter", "¾": "three quarters", "⅓": "one third", "⅔": "two thirds"}


STEPS = [(re.compile(pattern), put) for pattern, put in (
    # Fractions. A half after a number is part of the number.
    (r"(?<=\d) ?(1/2\b|½)", ".5"),
    (r"(?<=\d)([¼¾⅓⅔])", r" and \1"),
    (r"\b\d/\d\b|[½¼¾⅓⅔]", lambda found: FRACTIONS.get(found[0], found[0])),
    # Units, abbreviations, regnal numbers, and plurals of capital letters.
    (r"(?i)(?<=\d)[ -]?(" + "|".join(map(re.escape, UNITS)) + r")(?![a-z])", lambda found: " " + UNITS[found[1].lower()]),
    (r"(?i)\b(" + "|".join(SHORT) + r")\b\.?", lambda found: SHORT[found[1].lower()]),
    (r"(?<=[a-z] )(VIII|VII|VI|IV|V|III|II)\b", lambda found: "the " + ROMAN[found[0]]),
    (r"(?<=[A-Z\d])['’]s\b", "s"),
    # Money, symbols, and points before a number.
    (r"(?<=\d)¢", " cents"),
    (r"(?<!\S)[-−](?=\d)", "minus "),
    (r"(?<!\d)\.(?=\d)", "0."),
    # Times, and the groups of a long number. The normalizer would drop the zero in "05".
    (r"(?<=\d):00\b", ""),
    (r"(?<=\d):(?=\d\d)", ""),
    (r"(?i)(?<=\d)\.(?=\d\d ?[ap]\.?m)", ""),
    (r"(?<=\d),? (?=0\d)", ""),
    # The only ordinal that the normalizer spells differently.
    (r"\bninth\b", "nineth"),
    # Addresses.
    (r"@", " at "),
    (r"(?<=[A-Za-z])/(?=[A-Za-z])", " slash "),
    (r"(?<=[A-Za-z])\.(?=[a-z]{2})", " dot "))]
# A dash between numbers is "to", or is omitted as in telephone numbers. Some recognizers write 10.45 for a time.
DASH, POINT = re.compile(r"(?<=\d) ?[-–—] ?(?=\d)"), re.compile(r"(?<=\d)\.(?=\d\d\b|\d{6})")


def spellings(heard):
    """Returns the possible spoken forms of a transcript."""
    for pattern, put in STEPS:
        heard = pattern.sub(put, heard)
    return list(dict.fromkeys(DASH.sub(put, text) for text in (POINT.sub("", heard), heard) for put in ("", " to ")))
