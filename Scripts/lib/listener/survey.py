"""The long form: all sentences by all programs, heard by two listeners. What it finds is written down after each step."""

import os
import sys

from listener import hearing, measures, packages, report, sentences, speakers

REPORT = os.path.join(speakers.FOLDER, "report.md")


def run():
    packages.prepare(is_long=True)
    speakers.prepare()
    asked = sentences.read()
    spoken, sounds, scores = {}, {}, {}
    # The quicker listener hears everything first.
    for listener in (hearing.TINY, hearing.BASE):
        for speaker in speakers.SPEAKERS:
            if speaker not in spoken:
                print(f"Speaking: {speaker.label}", file=sys.stderr)
                spoken[speaker] = speaker.speak(asked)
                sounds[speaker] = measures.of([each.path for each in spoken[speaker]])
            print(f"Hearing: {speaker.label}, by {listener}", file=sys.stderr)
            heard = hearing.heard(listener, [each.path for each in spoken[speaker]])
            scores.setdefault(listener, {})[speaker] = hearing.scored(asked, heard)
            text = report.text(asked, spoken, sounds, scores)
            with open(REPORT, "w", encoding="utf-8") as file:
                file.write(text)
    print(text)
