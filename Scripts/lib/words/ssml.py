"""Compares the words of our spoken form of SSML documents with the words in the documents."""

import glob
import os
import re
import xml.etree.ElementTree as xml

from words import program

# Elements whose text is spoken in a different form.
REWRITTEN = {"say-as", "phoneme"}
WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def pattern(element):
    """Yields a regular expression for each word that a listener should hear."""
    name = element.tag.rpartition("}")[2].lower()
    if name == "sub":
        yield from map(re.escape, WORDS.findall(element.get("alias", "")))
    elif name in REWRITTEN:
        yield ".+?"
    elif name != "desc":
        yield from map(re.escape, WORDS.findall(element.text or ""))
        for child in element:
            yield from pattern(child)
            yield from map(re.escape, WORDS.findall(child.tail or ""))


def suite(folder):
    """Returns the number of documents in a folder whose words are all spoken, in order, and what is wrong with the others."""
    paths = sorted(path for end in ("xml", "ssml") for path in glob.glob(os.path.join(folder, "*." + end)))
    program.build_speaking()
    right, wrong = 0, []
    for path in paths:
        words = list(pattern(xml.parse(path).getroot()))
        found = program.spoken_document(path)
        if isinstance(found, str):
            wrong.append(f"{os.path.basename(path)}: {found}")
        elif re.fullmatch(r"\W*" + r"\W+".join(words) + r"\W*", " ".join(line["text"] for line in found), re.I | re.S):
            right += 1
        else:
            wrong.append(f"{os.path.basename(path)}\n  wanted: {' '.join(words)}\n  ours:   " + " ".join(line["text"] for line in found))
    return "\n".join([*wrong, f"{right} of {len(paths)} documents are spoken with all words, in order."])
