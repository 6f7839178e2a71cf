"""How a listener writes what it heard: "3/4 km" and "three quarters of a kilometer" are the same sounds.

A reading is words; a listener writes figures and signs. Both are brought together here as far as Whisper's own normalizer of
English does not do it.
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


def spellings(heard):
    """The ways in which what was written down may have been spoken."""
    text = re.sub(r"(\d)([½¼¾⅓⅔])", r"\1 and \2", heard)
    text = re.sub(r"(\d) (\d/\d)\b", r"\1 and \2", text)
    text = re.sub(r"\b\d/\d\b|[½¼¾⅓⅔]", lambda found: FRACTIONS.get(found[0], found[0]), text)
    text = text.replace("and one half", "and a half")
    text = re.sub(
        r"(?<=\d)[ -]?(" + "|".join(map(re.escape, UNITS)) + r")(?![a-z])", lambda found: " " + UNITS[found[1].lower()], text,
        flags=re.I)
    text = re.sub(r"(?<=[A-Z]\w)(.*?) (VIII|VII|VI|IV|V|III|II)\b", lambda found: f"{found[1]} the {ROMAN[found[2]]}", text)
    text = re.sub(r"\b(" + "|".join(SHORT) + r")\b\.?", lambda found: SHORT[found[1].lower()], text, flags=re.I)
    text = re.sub(r"(\d)[.:](\d\d)(?= ?[ap]\.?m)", r"\1 \2", re.sub(r"(\d):00\b", r"\1", text), flags=re.I)
    text = text.replace("@", " at ").replace("://", " colon slash slash ")
    text = re.sub(r"(?<=[A-Za-z])/(?=[A-Za-z])", " slash ", text)
    text = re.sub(r"(?<=[A-Za-z])\.(?=[A-Za-z]{2})", " dot ", text)
    # A dash between figures is "to", or nothing as in a number of a telephone.
    return list(dict.fromkeys(re.sub(r"(?<=\d) ?[-–—] ?(?=\d)", between, text) for between in (" ", " to ")))
