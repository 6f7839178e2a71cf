"""Formats the tables of the long test in Markdown."""

from listener.scoring import rate, right


def text(sentences, spoken, sounds, scores):
    """
    - spoken: the spoken text of each sentence, keyed by speaker
    - sounds: the measurements of the audio, keyed by speaker
    - scores: the score of each sentence, keyed by table title and then by speaker
    """
    parts = [_heard(sentences, title, found) for title, found in scores.items()]
    parts.append(_measured(sounds))
    parts += [_wrong(speaker, spoken[speaker], scores) for speaker in spoken if spoken[speaker][0].words]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(head, rows):
    lines = [["", *head], ["---"] * (len(head) + 1), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _heard(sentences, title, found):
    """Returns the word error rates with one recognizer."""
    hard = list(dict.fromkeys(each.kind for each in sentences if not each.is_plain))

    def row(name, cell, fits=lambda _: True):
        return [name, *(cell([one for one in scores if fits(one.sentence)]) for scores in found.values())]

    def percent(scores):
        return f"{rate(scores):.1f}"

    def of(count):
        return lambda scores: f"{count(scores)} of {len(scores)}"

    is_plain, is_hard = (lambda one: one.is_plain), (lambda one: not one.is_plain)
    rows = [row("plain, % of words", percent, is_plain), row("hard, % of words", percent, is_hard),
            row("plain without an error", of(right), is_plain), row("hard without an error", of(right), is_hard),
            row("first word recognized", of(lambda scores: sum(one.has_first for one in scores))),
            row("last word recognized", of(lambda scores: sum(one.has_last for one in scores)))]
    rows += [row(f"{kind}, %", percent, lambda one, kind=kind: one.kind == kind) for kind in hard]
    return f"{title}\n\n" + _table([speaker.label for speaker in found], rows)


def _measured(sounds):
    def row(name, cell):
        return [name, *map(cell, sounds.values())]

    return "The sounds\n\n" + _table([speaker.label for speaker in sounds], [
        row("silence before, after (ms, medians)", lambda one: f"{one.before * 1000:.0f}, {one.after * 1000:.0f}"),
        row("LUFS, median (range)", lambda one: "{:.1f} ({:.1f} to {:.1f})".format(one.loudness[0], *one.loudness[1:])),
        row("largest step at a pause or an end; in speech", lambda one: f"{one.at_pauses:.3f}; {one.in_speech:.3f}"),
        row("pauses inside a sentence", lambda one: str(one.pauses))])


def _wrong(speaker, spoken, scores):
    """Returns the sentences that all recognizers get wrong. In these, the speaker probably made the mistake."""
    found = [scores[title][speaker] for title in scores if speaker in scores[title]]
    lines = [
        f"* {all_of[0].sentence.kind}: {all_of[0].sentence.text}\n  said: {each.words}\n"
        + "\n".join(f"  recognized: {one.heard}" for one in all_of)
        for each, all_of in zip(spoken, zip(*found)) if all(one.errors for one in all_of)]
    return f"{speaker.label}: misrecognized by every recognizer\n\n" + "\n".join(lines) if lines else ""
