"""The long test: all programs speak all sentences, and two recognizers transcribe them. The results are written after each step."""

import os
import sys

from listener import hearing, measures, packages, report, sentences, speakers

REPORT = os.path.join(speakers.FOLDER, "report.md")
NAMES = [speaker.name for speaker in speakers.SPEAKERS]
# The name for all faster rates.
FAST = "fast"


class Survey:
    def __init__(self):
        self._asked = sentences.read()
        self._spoken, self._sounds = {}, {}
        # The scores, keyed by table title and then by speaker.
        self._scores = {}

    def table(self, title, listener, speakers):
        for speaker in speakers:
            if speaker not in self._spoken:
                print(f"Speaking: {speaker.label}", file=sys.stderr)
                self._spoken[speaker] = speaker.speak(self._asked)
                self._sounds[speaker] = measures.of([each.path for each in self._spoken[speaker]])
            print(f"Transcribing: {speaker.label}, with {listener}", file=sys.stderr)
            heard = hearing.heard(listener, [each.path for each in self._spoken[speaker]])
            self._scores.setdefault(title, {})[speaker] = hearing.scored(self._asked, heard)
            with open(REPORT, "w", encoding="utf-8") as file:
                file.write(self.text())

    def text(self):
        return report.text(self._asked, self._spoken, self._sounds, self._scores)


def run(names, listeners):
    """Runs the speakers with these names. The faster recognizer transcribes everything first."""
    asked = [speaker for speaker in speakers.SPEAKERS if speaker.name in names]
    fast = speakers.FAST if FAST in names else ()
    packages.prepare(is_long=True)
    speakers.prepare([*asked, *fast])
    survey = Survey()
    for listener in listeners:
        survey.table(f"Transcribed by Whisper {listener}", listener, asked)
    survey.table(f"At two and three times the rate, transcribed by Whisper {hearing.TINY}", hearing.TINY, fast)
    print(survey.text())
