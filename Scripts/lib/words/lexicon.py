"""Compares the pronunciations of English prose in Kokoro and misaki, word by word."""

import os

from words import peers, program
from words.rows import FOLDER
from words.sounds import STRESS

PROSE = os.path.join(FOLDER, "prose-en.txt")
MARKS = "“”\"'’‘.,;:!?—–-…() "


def report():
    with open(PROSE, encoding="utf-8") as file:
        texts = [line.strip() for line in file if line.strip()]
    asked = [("en", text) for text in texts]
    theirs = [misaki(text, tokens) for text, tokens in zip(texts, peers.ask("misaki_words", asked))]
    read = program.kokoro({"en": "a"}, asked, peers.lexicon())
    ours = [kokoro(text, each["words"]) for text, each in zip(texts, read)]
    same, alike, total, differences = 0, 0, 0, []
    for text, left, right in zip(texts, ours, theirs):
        for (place, word), mine, other in zip(chunks(text), left, right):
            if not word.strip(MARKS):
                continue
            total += 1
            same += mine == other
            alike += unstressed(mine) == unstressed(other)
            if mine != other:
                differences.append((word.strip(MARKS), mine, other, text))
    lines = [f"{len(texts)} sentences, {total} words, Kokoro's reader with misaki's word list, compared with misaki:"]
    lines.append(f"  identical                {same}  {100 * same / total:.2f} %")
    lines.append(f"  identical except for stress {alike}  {100 * alike / total:.2f} %")
    lines += [f"  {word}: {mine}, misaki {other}   in: {text}" for word, mine, other, text in differences]
    return "\n".join(lines)


def unstressed(symbols):
    return "".join(symbol for symbol in symbols if symbol not in STRESS)


def chunks(text):
    """Yields the words between spaces, each with the position of its first character."""
    place = 0
    for word in text.split(" "):
        yield place, word
        place += len(word) + 1


def sorted_in(text, parts):
    """Returns one string per word of the text, combined from parts with their start positions."""
    starts = [place for place, _ in chunks(text)]
    found = [""] * len(starts)
    for place, symbols in parts:
        index = max(i for i, start in enumerate(starts) if start <= place)
        found[index] += "".join(symbol for symbol in symbols if symbol not in MARKS)
    return found


def misaki(text, tokens):
    place, parts = 0, []
    for token, symbols, space in tokens:
        place = text.index(token, place)
        # misaki's own symbols, for which Kokoro has no phoneme.
        parts.append((place, symbols.replace("ɾ", "T").replace("ʔ", "t")))
        place += len(token)
    return sorted_in(text, parts)


def kokoro(text, words):
    utf8 = text.encode()
    return sorted_in(text, [(len(utf8[: word["bytes"][0]].decode()), word["symbols"]) for word in words])
