"""The parts of Scripts/measure/parity that run Piper itself, with the Python that has it installed.

    piper_parity.py ids TEXTS CONFIGURATION DATA      Piper's IDs for each text with this espeak-ng data
    piper_parity.py mark IDS OURS THEIRS              the same, with the reason for each difference from ours, and a count
    piper_parity.py sound DATA MODEL...               Piper's audio for some sentences without noise: the duration of each
                                                      symbol, and some of the samples
"""
import collections
import json
import sys

from piper import PiperVoice
from piper.config import PiperConfig, SynthesisConfig

# The IDs of the begin and end symbols, and of ! , . : ; ?
PUNCTUATION = {1, 2, 4, 8, 10, 11, 12, 13}
LEVEL_STEP = 257
TEXT = (
    "The harbour wakes before the sun. Boats leave one by one, slowly; nobody speaks. Is it cold? Yes! "
    "Gulls follow the boats: they know. A thousand and one tiny waves glitter where the light falls, "
    "and the old pier creaks. It is a long day"
)


def write(lines):
    print("[\n" + ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n]")


def ids(texts, configuration, data):
    lines = []
    for line in open(texts, encoding="utf-8"):
        name, text = line.rstrip("\n").split("\t")
        text = text.replace("\\n", "\n").replace("\\t", "\t")
        voice = json.load(open(configuration, encoding="utf-8"))
        voice["espeak"]["voice"] = name
        reader = PiperVoice(session=None, config=PiperConfig.from_dict(voice), espeak_data_dir=data)
        sentences = [reader.phonemes_to_ids(sentence) for sentence in reader.phonemize(text) if sentence]
        lines.append({"voice": name, "text": text, "ids": sentences})
    write(lines)


def mark(golden, ours, theirs):
    """Marks and counts the texts for which our reader differs from Piper, with this machine's library and with Piper's newer library."""
    lines = json.load(open(golden, encoding="utf-8"))
    ours, theirs = json.load(open(ours)), json.load(open(theirs))
    counts = collections.defaultdict(collections.Counter)
    for line, mine, newer in zip(lines, ours, theirs, strict=True):
        count = counts[line["voice"]]
        count["lines"] += 1
        count["newer"] += newer == line["ids"]
        if mine == line["ids"]:
            count["same"] += 1
            continue
        structure = [[i for i in sentence if i in PUNCTUATION] for sentence in mine]
        expected = [[i for i in sentence if i in PUNCTUATION] for sentence in line["ids"]]
        line["differs"] = "phonemes" if structure == expected else "clauses"
        count[line["differs"]] += 1
        if newer != line["ids"]:
            print("parity: differs with Piper's own library too: " + line["text"], file=sys.stderr)
    total = sum(counts.values(), collections.Counter())
    print("Texts with the same IDs as in Piper, by language:", file=sys.stderr)
    for name, count in [*sorted(counts.items()), ("all", total)]:
        print(
            f"  {name:6} {count['same']:4} of {count['lines']:4}"
            f"   with Piper's own library {count['newer']:4}"
            f"   differing phonemes {count['phonemes']:3}, clauses {count['clauses']:3}",
            file=sys.stderr,
        )
    write(lines)


def sound(data, *models):
    lines = []
    for model in models:
        voice = PiperVoice.load(model, espeak_data_dir=data, include_alignments=True)
        for speaker in range(voice.config.num_speakers):
            steady = SynthesisConfig(speaker_id=speaker, noise_scale=0, noise_w_scale=0)
            for phonemes in voice.phonemize(TEXT)[: 1 if speaker else None]:
                ids = voice.phonemes_to_ids(phonemes)
                samples, counts = voice.phoneme_ids_to_audio(ids, steady, include_alignments=True)
                samples = samples.reshape(-1)
                assert int(sum(counts)) == len(samples) and len(ids) == 2 * len(phonemes) + 3
                # The duration of each symbol with the following pad, from the begin symbol to the end symbol.
                counts = [int(sum(counts[i : i + 2])) for i in range(0, len(ids), 2)]
                levels = [round(float(level), 7) for level in samples[::LEVEL_STEP]]
                name = model.rsplit("/", 1)[-1].split("-")[1]
                line = {"voice": name, "speaker": speaker, "phonemes": "".join(phonemes), "ids": ids}
                lines.append(line | {"samples": counts, "levels": levels})
    write(lines)


if __name__ == "__main__":
    {"ids": ids, "mark": mark, "sound": sound}[sys.argv[1]](*sys.argv[2:])
