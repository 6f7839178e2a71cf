"""The printed tables."""

import json

from words.rows import COMPLETE

OTHERS = [language for language in COMPLETE if language != "en"]


def count(result, rows, fits):
    """Returns the number of correct rows among those that match, and the number of evaluated rows."""
    verdicts = [right for right, row in zip(result.right, rows) if fits(row) and right is not None]
    return sum(verdicts), len(verdicts)


def nearly(result, rows, fits):
    return str(sum(bool(near) for near, row in zip(result.near, rows) if fits(row)))


def cell(pair):
    return f"{pair[0]}/{pair[1]}" if pair[1] else "–"


def lines(table):
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0])] + [text.rjust(width) for text, width in zip(row[1:], widths[1:])])
        for row in table)


def by_language(results, rows, languages):
    """Returns a table of correct rows by language: for the open rows, the unread rows, and in total."""
    parts = sorted({row.part for row in rows})
    text = []
    for name, within in [(part, {part}) for part in parts] + ([("all", set(parts))] if len(parts) > 1 else []):
        table = [[name, *languages, "others", "sum", "near"]]
        for result in results:
            counts = [count(result, rows, lambda row: row.part in within and row.language == each) for each in languages]
            others = count(result, rows, lambda row: row.part in within and row.language in OTHERS)
            counts += [others, count(result, rows, lambda row: row.part in within)]
            table.append([result.label, *map(cell, counts), nearly(result, rows, lambda row: row.part in within)])
        text.append(lines(table))
    notes = [
        "others: " + " ".join(OTHERS) + ". A system is tested only in the languages that it supports.",
        "near: incorrect, but different only in the quality of a vowel or the length of a phoneme."]
    return "\n\n".join(text) + "\n\n" + "\n".join(notes) + "\n"


def by_category(results, rows):
    """Returns a table of the English rows that developers may read. A table of all rows would reveal which unread rows are wrong."""
    categories = list(dict.fromkeys(row.category for row in rows if row.language == "en" and row.part != "unread"))
    table = [["English, by category", *(result.name for result in results)]]
    for category in categories:
        fits = lambda row: row.language == "en" and row.part != "unread" and row.category == category  # noqa: E731
        table.append([category, *(cell(count(result, rows, fits)) for result in results)])
    return lines(table) + "\n"


def wrong(result, rows):
    text = [f"Errors of {result.label}:"]
    language = None
    for right, said, row in zip(result.right, result.said, rows):
        if right is not False or row.part == "unread":
            continue
        if row.language != language:
            language = row.language
            text += ["", language]
        text.append(f"  {row.category}: {row.text}\n      said: {said}\n    wanted: {row.readings[0]}")
    return "\n".join(text)


def as_json(results, rows):
    counts = [
        {"system": result.name, "part": part, "language": language, "right": right, "rows": asked}
        for result in results for part in dict.fromkeys(row.part for row in rows) for language in dict.fromkeys(row.language for row in rows)
        for right, asked in [count(result, rows, lambda row: row.part == part and row.language == language)] if asked]
    return json.dumps(counts, indent=2)
