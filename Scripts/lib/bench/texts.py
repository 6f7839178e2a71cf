"""The texts to speak, which are the same in each run: short, a paragraph, 3000 words, and 200 different sentences."""

import random

# All front ends of Kokoro produce the same number of symbols for this text, so even a model with random weights generates audio of the
# same length for each of them.
SHORT = "Seven women sat in the little kitchen and sang until ten."
# A sentence of 42 words, with clauses.
SENTENCE = (
    "On the long evening walk beside the river, while the lamps along the bridge came on one after another, the old "
    "teacher told his three patient visitors how the whole town had once been moved, stone by stone, to the other bank."
)
# The first sentence has a clause mark near its beginning, so a host may start to speak before the sentence ends.
PARAGRAPH = (
    "The harbour town wakes up slowly, and fishing boats leave before the sun has climbed over the hills. "
    "Their lamps draw thin lines of light on the water. On the quay a baker opens his shop and sweeps the step. "
    "Two children count the gulls on the roof of the old customs house. The first train arrives at seven with letters "
    "and a few tired travellers. A woman in a green coat asks for the way to the lighthouse. Nobody knows exactly how "
    "long the walk is today. The path follows the cliff and crosses three small bridges made of wood. By noon the fog "
    "has lifted, the market is full, and somebody plays an accordion beside the fountain near the church."
)

SUBJECTS = """the morning market|a patient teacher|the narrow valley|our oldest neighbour|the night train|a careful painter
the empty theatre|every second letter|the harbour master|a distant engine|the younger brother|a flock of birds""".replace(
    "\n", "|").split("|")
VERBS = """repaired|remembered|carried|followed|described|counted|painted|measured|forgot|discovered|crossed|answered
promised""".replace("\n", "|").split("|")
OBJECTS = """the map of the coast|a basket of apples|the long stone bridge|an unfinished story|the last winter
a bundle of letters|the keys of the tower|seven small boats|the sound of the rain|a question about time|the red lantern
the road to the mountains""".replace("\n", "|").split("|")
ENDS = """with surprising care|before anybody noticed|in the middle of the night|without a single mistake
because the weather had changed|while the others were asleep|as if nothing had happened|for the third time this week
and nobody asked why|until the lamps went out|behind the railway station|to everyone's delight""".replace("\n", "|").split(
    "|")


def sentence(source):
    """Returns a sentence of 7 to about 30 words."""
    parts = [source.choice(SUBJECTS), source.choice(VERBS), source.choice(OBJECTS)]
    if source.random() < 0.7:
        parts.append(source.choice(ENDS))
    if source.random() < 0.35:
        parts += [", and then", source.choice(SUBJECTS), source.choice(VERBS), source.choice(OBJECTS)]
    text = " ".join(parts).replace(" ,", ",")
    return text[0].upper() + text[1:] + "."


def long(words=3000):
    """Returns a text in paragraphs of eight sentences."""
    source = random.Random(3000)
    sentences, count = [], 0
    while count < words:
        sentences.append(sentence(source))
        count += len(sentences[-1].split())
    return "\n\n".join(" ".join(sentences[i : i + 8]) for i in range(0, len(sentences), 8)) + "\n"


def different(count=200):
    source = random.Random(200)
    sentences = []
    while len(sentences) < count:
        one = sentence(source)
        if one not in sentences:
            sentences.append(one)
    return sentences


def new(turn):
    """Returns the random source for a turn. Each text is new, so that no service can have cached its audio."""
    return random.Random(f"turn {turn}")


def piece(source, sentences):
    return " ".join(sentence(source) for _ in range(sentences))


MONTHS = "January February March April May June July August September October November December".split()
# Phrases with facts, as in a nonfiction book. Each call of a function returns a different phrase.
FACTS = (
    lambda source: f"and it cost ${source.randint(1, 4000):,}.{source.randint(10, 99)}",
    lambda source: f"for £{source.randint(2, 90)} million",
    lambda source: f"on {source.choice(MONTHS)} {source.randint(1, 28)}, {source.randint(1700, 2026)}",
    lambda source: f"on the {source.randint(4, 20)}th of {source.choice(MONTHS)[:3]}. {source.randint(1850, 2026)}",
    lambda source: f"in {source.randint(1500, 2026)}",
    lambda source: f"in the {source.randint(14, 20)}th century",
    lambda source: f"at {source.randint(1, 12)}:{source.randint(10, 59)} {source.choice(('a.m.', 'p.m.', 'AM', 'PM'))}",
    lambda source: f"after {source.randint(2, 90)},{source.randint(100, 999)} days",
    lambda source: f"within {source.randint(2, 60)} km of the border",
    lambda source: f"at {source.randint(-20, 40)} °C",
    lambda source: f"with {source.randint(1, 99)}.{source.randint(1, 9)} kg of flour",
    lambda source: f"by {source.randint(1, 99)}% in a year",
    lambda source: f"between {source.randint(1, 40)} and {source.randint(41, 90)} times",
    lambda source: f"on pp. {source.randint(1, 90)}–{source.randint(91, 300)}",
    lambda source: f"with Dr. Smith and Mrs. Brown from {source.randint(1, 900)} Elm St.",
    lambda source: f"as the {source.choice(('FBI', 'BBC', 'UN', 'NASA'))} reported, e.g. in vol. {source.randint(1, 12)}",
    lambda source: f"under {source.choice(('Henry VIII', 'Louis XIV', 'Elizabeth II', 'Charles V'))}",
    lambda source: f"with {source.randint(1, 3)}/{source.randint(4, 8)} of the {source.randint(100, 9999)} votes",
)


def numbered(words=20_000):
    """Returns a text in paragraphs of eight sentences. Every second sentence contains a number, date, amount, unit or abbreviation."""
    source = random.Random(20_000)
    sentences, count = [], 0
    while count < words:
        one = sentence(source)
        if len(sentences) % 2:
            one = f"{one[:-1]} {source.choice(FACTS)(source)}"
            one += "" if one.endswith(".") else "."
        sentences.append(one)
        count += len(one.split())
    return "\n\n".join(" ".join(sentences[i : i + 8]) for i in range(0, len(sentences), 8)) + "\n"
