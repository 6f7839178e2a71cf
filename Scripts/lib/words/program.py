"""Uses our own programs: the host, which prepares the text, and the readers of its engines."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from words.rows import ROOT

BUILT = os.path.join(ROOT, ".build", "debug")
# The host's language tags. English is American, as in the peers.
TAGS = {"en": "en-US", "fr": "fr-FR"}
VOICE = os.path.join(ROOT, "Tests", "Fixtures", "Voices", "en_US-tern-x_low.onnx.json")


def install():
    """Installs the espeak-ng command, which several systems use. Exits if that fails."""
    if subprocess.run(["sh", "-c", ". Scripts/lib/packages.sh && require_packages espeak-ng"], cwd=ROOT).returncode:
        sys.exit("compare-words: espeak-ng is missing.")


def build(product):
    """Builds one program, with ONNX Runtime if it is available. Exits if that fails."""
    script = '. Scripts/lib/packages.sh; . Scripts/lib/onnxruntime.sh; use_onnxruntime; exec swift build --product "$1"'
    done = subprocess.run(
        ["sh", "-c", "root=$PWD; " + script, "sh", product], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"compare-words: {product} could not be built.\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def probe(product, arguments, given):
    """Returns the result of one of our readers for the given values, as JSON."""
    build(product)
    done = subprocess.run(
        [os.path.join(BUILT, product), *arguments], input=json.dumps(given).encode(), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def home():
    """Returns an environment with an empty home folder, and the folder."""
    folder = tempfile.mkdtemp(prefix="synthhost-words-")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "SYNTHHOST_"))}
    environment.update(HOME=folder, LC_ALL="C.UTF-8")
    return environment, folder


def build_speaking():
    """Builds the products that speak with espeak-ng."""
    for product in ("synthhost", "synthhost-worker", "EspeakNG"):
        build(product)


def spoken_document(path):
    """Returns the host's spoken form of an SSML document as a list of its sentences, or an error message. Call `build_speaking` first."""
    environment, folder = home()
    try:
        done = subprocess.run(
            [os.path.join(BUILT, "synthhost"), "speak", "--ssml", "--show-text", "--json", "-f", path],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        return done.stderr.strip() if done.returncode else [json.loads(line) for line in done.stdout.splitlines()]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def prepared(asked):
    """Returns the host's spoken form for each pair of language and text, as a list of its sentences.

    Each text is separate, so that a mark in one text cannot affect another.
    """
    build_speaking()
    environment, folder = home()

    def lines(language, text, *options):
        tag = ["-l", TAGS.get(language, language)] if language else []
        done = subprocess.run(
            [os.path.join(BUILT, "synthhost"), "speak", "--show-text", "--json", *tag, *options, "-f", "-"],
            input=text.encode(), stdout=subprocess.PIPE, env=environment)
        if done.returncode:
            sys.exit(f"compare-words: synthhost cannot normalize {text!r}.")
        return [json.loads(line) for line in done.stdout.splitlines()]

    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda each: lines(*each), asked))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def espeak(voices, asked):
    """Returns the IPA from the espeak-ng command for pairs of language and text."""
    def speak(pair):
        # A text may begin with a hyphen.
        done = subprocess.run(
            ["espeak-ng", "-q", "--ipa", "-v", voices[pair[0]], "--stdin"], input=pair[1].encode(),
            stdout=subprocess.PIPE, check=True)
        return done.stdout.decode()

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(speak, asked))


def piper(voices, asked):
    """Returns the symbols from Piper's reader for pairs of language and text, converted back from IDs."""
    with open(VOICE, encoding="utf-8") as file:
        ids = json.load(file)["phoneme_id_map"]
    symbols = {numbers[0]: symbol for symbol, numbers in ids.items()}
    # Padding, and the begin and end symbols.
    symbols.update({ids[symbol][0]: "" for symbol in "_^$"})
    given = [{"voice": voices[language], "text": text} for language, text in asked]
    read = probe("PhonemesProbe", [VOICE], given)
    return ["".join(symbols[number] for sentence in text for number in sentence) for text in read]


def kokoro(letters, asked, lexicon):
    """Returns the result of Kokoro's reader for pairs of language and text: symbols, and words with their positions."""
    given = [{"language": letters[language], "text": text} for language, text in asked]
    return probe("KokoroProbe", [lexicon], given)
