"""Counts the words that were not recognized correctly."""

from dataclasses import dataclass

# The maximum number of words that may be joined into one, as in "f b i" or "555 01 42".
TOGETHER = 6


@dataclass(frozen=True)
class Score:
    sentence: object
    heard: str
    errors: int
    words: int
    has_first: bool
    has_last: bool


def distance(expected, heard):
    """Returns the number of words to insert, delete or replace. Spaces within a word are ignored."""
    best = [list(range(len(heard) + 1))]
    for i in range(1, len(expected) + 1):
        row = [i]
        for j in range(1, len(heard) + 1):
            costs = [best[i - 1][j] + 1, row[j - 1] + 1, best[i - 1][j - 1] + (expected[i - 1] != heard[j - 1])]
            for count in range(2, TOGETHER + 1):
                if count <= j and expected[i - 1] == "".join(heard[j - count:j]):
                    costs.append(best[i - 1][j - count])
                if count <= i and heard[j - 1] == "".join(expected[i - count:i]):
                    costs.append(best[i - count][j - 1])
            row.append(min(costs))
        best.append(row)
    return best[-1][-1]


def score(sentence, heard, readings, spellings):
    """Scores a transcript. `readings` and `spellings` are normalized, and the closest pair is scored."""
    pairs = [(reading.split(), spelling.split()) for reading in readings for spelling in spellings]
    wanted, found = min(pairs, key=lambda pair: distance(*pair) / len(pair[0]))
    together = "".join(found)
    return Score(
        sentence, heard, distance(wanted, found), len(wanted), together.startswith(wanted[0]), together.endswith(wanted[-1]))


def rate(scores):
    """Returns the word error rate as a percentage."""
    return 100 * sum(each.errors for each in scores) / sum(each.words for each in scores)


def right(scores):
    return sum(each.errors == 0 for each in scores)
