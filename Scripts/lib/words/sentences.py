"""Where sentences end: ours and others on the tree's list of boundaries."""

import os
import re

from words import peers, program
from words.rows import ROOT
from words.tables import lines

SOURCE = os.path.join(ROOT, "Tests", "SpeechScriptTests", "Boundaries.swift")
CODES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "dutch": "nl",
    "polish": "pl", "russian": "ru", "nordic": "sv", "czech": "cs", "greek": "el", "turkish": "tr", "hindi": "hi",
    "arabic": "ar", "hebrew": "he", "chinese": "zh", "japanese": "ja", "korean": "ko", "thaiAndVietnamese": "vi",
    "ukrainian": "uk"}
THAI = re.compile("[\u0e00-\u0e7f]")


def examples():
    """Each text once: its language, and its sentences."""
    with open(SOURCE, encoding="utf-8") as file:
        source = file.read()
    found = {}
    for name, body in re.findall(r"static let (\w+) = \[(.*?)\]\n", source, re.S):
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', body):
            text = text.replace('\\"', '"')
            found.setdefault(text, "th" if THAI.search(text) else CODES[name])
    return [(language, text.split("|")) for text, language in found.items()]


def report():
    asked = examples()
    texts = [(language, "".join(sentences)) for language, sentences in asked]
    ours = [[line["text"] for line in each] for each in program.prepared([("", text, "--verbatim", "--keep-voice") for _, text in texts])]
    systems = {"synthhost": ours, "sentencex": peers.ask("sentencex", texts), "pysbd": peers.ask("pysbd", texts)}

    def is_right(found, sentences):
        return found is not None and [s.strip() for s in found if s.strip()] == [s.strip() for s in sentences]

    languages = list(dict.fromkeys(language for language, _ in asked))
    table = [["texts with the right sentences", "all", *languages]]
    table.append(["texts", str(len(asked)), *(str(sum(each == code for each, _ in asked)) for code in languages)])
    for name, found in systems.items():
        right = {code: 0 for code in languages}
        for (language, sentences), answer in zip(asked, found):
            right[language] += is_right(answer, sentences)
        has = {language for (language, _), answer in zip(asked, found) if answer is not None}
        table.append(
            [name, str(sum(right.values())), *(str(right[code]) if code in has else "–" for code in languages)])
    return lines(table) + "\n– is a language that the program does not have. Its texts count as wrong in the sum.\n"
