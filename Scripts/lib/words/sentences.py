"""Compares our sentence boundaries and those of other programs with the test list of boundaries."""

import ast
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
    """Returns each text once, with its language and its sentences."""
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
    return lines(table) + "\n– means that the program does not support the language. Its texts count as incorrect in the total.\n"


# Languages, keyed by file name in a suite: pySBD's tests/lang/test_*.py, and pragmatic_segmenter's *_spec.rb.
NAMES = {
    "amharic": "am", "arabic": "ar", "armenian": "hy", "bulgarian": "bg", "burmese": "my", "chinese": "zh", "danish": "da",
    "deutsch": "de", "dutch": "nl", "english": "en", "french": "fr", "greek": "el", "hindi": "hi", "italian": "it",
    "japanese": "ja", "kazakh": "kk", "marathi": "mr", "persian": "fa", "polish": "pl", "russian": "ru", "slovak": "sk",
    "spanish": "es", "urdu": "ur"}
SPEC = re.compile(r'text: (?P<q>["\'])(?P<text>(?:\\.|(?!(?P=q)).)*)(?P=q).*?to eq\((?P<list>\[.*?\])\)\n', re.S)
UNICODE = "SentenceBreakTest.txt"
QUOTES = {"“": 1, "”": -1, "„": 1, "«": 1, "»": -1, "「": 1, "」": -1, "『": 1, "』": -1, "《": 1, "》": -1, "(": 1, ")": -1, "（": 1, "）": -1,
          "[": 1, "]": -1}


def suite(folder):
    """Returns the content of a suite: languages, texts and their sentences. Each text occurs once per language. Other files are skipped."""
    found = {}
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            language = NAMES.get(re.sub(r"^test_|(_spec)?\.(py|rb)$", "", name).replace("_clean", "-"), "")
            path = os.path.join(place, name)
            if name == UNICODE:
                pairs = [("", each) for each in unicode_tests(path)]
            elif language and name.endswith(".py"):
                pairs = [(language, each) for each in python_tests(path)]
            elif language and name.endswith(".rb"):
                pairs = [(language, each) for each in ruby_tests(path)]
            else:
                continue
            for each, (text, sentences) in pairs:
                found.setdefault((each, text), (each, text, sentences))
    return list(found.values())


def python_tests(path):
    """Yields pairs of a text and a list of its sentences that are literals in a Python file."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple) and len(node.elts) == 2:
            try:
                text, sentences = ast.literal_eval(node)
            except (ValueError, TypeError):
                continue
            if isinstance(text, str) and isinstance(sentences, list):
                yield text, sentences


def ruby_tests(path):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    for found in SPEC.finditer(source):
        if "clean: false" in found[0] or "doc_type" in found[0]:
            continue
        try:
            quote = found["q"]
            yield ast.literal_eval(quote + found["text"].replace("\n", "\\n") + quote), ast.literal_eval(found["list"])
        except (ValueError, SyntaxError):
            continue


def unicode_tests(path):
    """Yields the rows that are text: letters or digits with a full stop between them, and no control characters."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            marks = line.split("#")[0].split()
            parts, text = [], ""
            for mark in marks[1:]:
                if mark == "÷":
                    parts.append(text)
                    text = ""
                elif mark != "×":
                    text += chr(int(mark, 16))
            whole = "".join(parts)
            isText = sum(c.isalnum() for c in whole) > 1 and any(c in ".?!。" for c in whole)
            if isText and all(c >= " " and c not in "\x85\xad\u200b" for c in whole):
                yield whole, parts


def is_cut_on_purpose(found, sentences):
    """Returns whether the sentences match, ignoring boundaries within quotations and brackets, and those between a quotation that
    ends a sentence and a bracket. The suites keep all these as one sentence."""
    merged, depth, straight = [], 0, False
    for piece in found:
        isAfterQuotation = merged and re.search(r"[.!?…]['\"’”]$", merged[-1]) and piece.startswith("(")
        if merged and (depth > 0 or straight or isAfterQuotation):
            merged[-1] += " " + piece
        else:
            merged.append(piece)
        depth = max(0, depth + sum(QUOTES.get(mark, 0) for mark in piece))
        straight ^= piece.count('"') % 2 == 1
        # An opening apostrophe follows a space. A closing one is next to a punctuation mark or before a space.
        depth = max(0, depth + len(re.findall(r"(?:^|[\s(])['‘`](?=\w)", piece)) - len(re.findall(r"(?<=[.,!?;])['’]|’(?=\s|$)", piece)))
    return plainly(merged) == plainly(sentences)


def plainly(sentences):
    """Returns the texts without white space and invisible characters."""
    return [words for words in ("".join(each.replace("\u2060", " ").split()) for each in sentences) if words]


def is_cleaned(text, sentences):
    """Returns whether the expected sentences lack markup or decoration of the text."""
    return "".join(plainly(sentences)) != "".join(plainly([text]))


def options(text, sentences):
    return ("--keep-voice",) if is_cleaned(text, sentences) else ("--verbatim", "--keep-voice")


def suites(folder, languages=None):
    """Returns a table of the number of texts that are split as the suite specifies, and our results for the other texts."""
    asked = [each for each in suite(folder) if not languages or each[0] in languages]
    said = program.prepared([("", text, *options(text, sentences)) for _, text, sentences in asked])
    counts, wrong = {}, []
    for (language, text, sentences), answer in zip(asked, said):
        found = [line["said" if is_cleaned(text, sentences) else "text"] for line in answer]
        count = counts.setdefault(language or "-", [0, 0, 0])
        if is_cleaned(text, sentences):
            # The spoken form has no periods after abbreviations.
            found, sentences = ([each.replace(".", "") for each in texts] for texts in (found, sentences))
        isRight = plainly(found) == plainly(sentences)
        isMeant = not isRight and is_cut_on_purpose(found, sentences)
        count[0] += 1
        count[1] += isRight
        count[2] += isMeant
        if not isRight and not isMeant:
            wrong.append(f"{language}\n  wanted: {' | '.join(sentences)}\n  ours:   {' | '.join(found)}")
    rows = [["language", "texts", "right", "cut in quotations"]]
    rows += [[code, *map(str, counts[code])] for code in sorted(counts)]
    rows.append(["all", *(str(sum(count[index] for count in counts.values())) for index in range(3))])
    return "\n".join(wrong) + "\n" + lines(rows)
