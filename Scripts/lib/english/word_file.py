"""Writes the words of both accents with their phonemes to a file. WordList.swift documents the format."""
import struct
from collections import Counter, defaultdict

TAGS = ["DEFAULT", "None", "NOUN", "VERB", "ADJ", "ADV", "VBD", "VBN", "VBP", "DT"]
BLOCK = 32
AMERICAN, BRITISH, AMERICAN_SILVER, BRITISH_SILVER, TOLD = 1, 2, 4, 8, 16
ANY, SEVERAL, SPELLED = 255, 255, 255
EDGE = ""
# A rule with context must be correct for this many more words than the rules without context.
GAIN = 30


def default(value): return value if isinstance(value, str) else value["DEFAULT"]


def aligned(american, british):
    """Returns the British replacement for each American symbol. Symbols inserted at the beginning are omitted."""
    if american == british: return list(american)
    n, m = len(american), len(british)
    cost = [[i + j if not i or not j else 0 for j in range(m + 1)] for i in range(n + 1)]
    for i in range(n):
        for j in range(m):
            cost[i + 1][j + 1] = min(cost[i][j] + (american[i] != british[j]), cost[i][j + 1] + 1, cost[i + 1][j] + 1)
    found, i, j = [""] * n, n, m
    while i:
        if j and cost[i][j] == cost[i - 1][j - 1] + (american[i - 1] != british[j - 1]):
            i, j = i - 1, j - 1
            found[i] = british[j] + found[i]
        elif cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
            found[i - 1] = british[j] + found[i - 1]
    return found


class Rules:
    """Rules that derive British phonemes from American ones: (before, symbol, after) and the replacement symbols."""

    def __init__(self, pairs):
        counts = defaultdict(Counter)
        for american, british in pairs:
            for i, found in enumerate(aligned(american, british)):
                before, symbol, after = self.place(american, i)
                for key in ((None, symbol, None), (before, symbol, None), (None, symbol, after), (before, symbol, after)):
                    counts[key][found] += 1
        self.table = {}
        # Process rules with less context first, so that a rule with more context is kept only if the rules with less
        # context fail.
        for sees in range(4):
            for key, found in counts.items():
                if (key[0] is not None) + 2 * (key[2] is not None) != sees: continue
                best = found.most_common(1)[0][0]
                told = self.told(*key)
                if best != told and found[best] - found[told] >= GAIN: self.table[key] = best

    @staticmethod
    def place(symbols, i):
        return symbols[i - 1] if i else EDGE, symbols[i], symbols[i + 1] if i + 1 < len(symbols) else EDGE

    def told(self, before, symbol, after):
        for key in ((before, symbol, after), (None, symbol, after), (before, symbol, None), (None, symbol, None)):
            if key in self.table: return self.table[key]
        return symbol

    def applied(self, symbols): return "".join(self.told(*self.place(symbols, i)) for i in range(len(symbols)))

    def ordered(self):
        """Returns the rules, those with more context first, because the first match applies."""
        return sorted(self.table.items(), key=lambda rule: (rule[0][2] is None, rule[0][0] is None, str(rule[0])))


def common(left, right):
    """Returns the length of the common prefix of two texts."""
    count = 0
    while count < min(len(left), len(right)) and left[count] == right[count]: count += 1
    return count


def sums(data):
    """Returns the sum of a file's 32-bit numbers, and the sum of all intermediate sums, modulo 2^32."""
    total = of_totals = 0
    for (number,) in struct.iter_unpack("<I", data + bytes(-len(data) % 4)):
        total += number
        of_totals += total
    return total % (1 << 32), of_totals % (1 << 32)


def paired(texts, codes):
    """Replaces the most frequent pair of adjacent numbers with a new number, for each of `codes`.

    `texts` maps bytes to their frequency. Returns the pairs, and the result for each text.
    """
    rows = {text: list(text) for text in texts}
    pairs = []
    for code in codes:
        counts = Counter()
        for text, row in rows.items():
            for pair in zip(row, row[1:]): counts[pair] += texts[text]
        if not counts: break
        pair = max(counts, key=lambda pair: (counts[pair], pair))
        pairs.append(pair)
        for row in rows.values():
            place = 0
            while place + 1 < len(row):
                if (row[place], row[place + 1]) == pair: row[place:place + 2] = [code]
                place += 1
    return pairs, {text: bytes(row) for text, row in rows.items()}


class Writer:
    def __init__(self, american, british):
        """Each list maps a word to (is silver, phonemes or phonemes by tag)."""
        self.lists = (american, british)
        self.words = sorted(american.keys() | british.keys(), key=str.encode)
        texts = [text for entries in self.lists for _, value in entries.values()
                 for text in ([value] if isinstance(value, str) else value.values()) if text]
        self.symbols = sorted({symbol for text in texts for symbol in text})
        self.code = {symbol: number for number, symbol in enumerate(self.symbols)}
        both = [word for word in self.words if word in american and word in british]
        self.rules = Rules([(default(american[word][1]), default(british[word][1])) for word in both])
        self.counts, self.coded, self.pairs = Counter(), {}, []
        self.blocks()
        self.pairs, self.coded = paired(self.counts, range(len(self.symbols), ANY))

    def plain(self, text): return bytes(self.code[symbol] for symbol in text)

    def spelled(self, text):
        """Returns the codes of phonemes: symbols, and pairs of codes after they have been determined."""
        plain = self.plain(text)
        self.counts[plain] += 1
        return self.coded.get(plain, plain)

    def reading(self, value, basis):
        """Returns a reading encoded as changes to other phonemes."""
        if not isinstance(value, str):
            out = bytes([0, SEVERAL, len(value)])
            for tag, text in value.items():
                codes = b"" if text is None else self.spelled(text)
                out += bytes([TAGS.index(tag), SPELLED if text is None else len(codes)]) + codes
            return out
        start = min(common(basis, value), 15)
        end = min(common(basis[start:][::-1], value[start:][::-1]), 15)
        middle = self.spelled(value[start:len(value) - end])
        assert len(middle) < SEVERAL
        return bytes([start << 4 | end, len(middle)]) + middle

    def entry(self, word, last):
        """Returns the bytes that follow the word, and its phonemes. The next entry is encoded as changes to these phonemes."""
        american, british = (entries.get(word) for entries in self.lists)
        head, body, basis = 0, b"", last
        if american:
            head |= AMERICAN | (AMERICAN_SILVER if american[0] else 0)
            body += self.reading(american[1], last)
            last, basis = default(american[1]), self.rules.applied(default(american[1]))
        if british:
            head |= BRITISH | (BRITISH_SILVER if british[0] else 0)
            if american and british[1] == basis: head |= TOLD
            else: body += self.reading(british[1], basis)
            if not american: last = default(british[1])
        return bytes([head]) + body, last

    def blocks(self):
        data, starts, before, last = bytearray(), [], b"", ""
        for number, text in enumerate(self.words):
            word = text.encode()
            assert min(word) >= 32
            if number % BLOCK == 0:
                starts.append(len(data))
                before, last = b"", ""
            shared = common(before, word)
            before = word
            body, last = self.entry(text, last)
            data += bytes([shared]) + word[shared:] + body
        return starts + [len(data)], bytes(data)

    def file(self):
        alphabet = "".join(self.symbols).encode()
        starts, data = self.blocks()
        number = lambda symbol: ANY if symbol is None else len(self.symbols) if symbol == EDGE else self.code[symbol]
        rules = b"".join(bytes([*map(number, place), len(sounds)]) + self.plain(sounds) for place, sounds in self.rules.ordered())
        pairs = bytes(code for pair in self.pairs for code in pair)
        head = struct.pack("<IIIII", len(starts) - 1, len(self.symbols), len(alphabet), len(self.pairs), len(self.rules.table))
        rest = head + alphabet + pairs + rules + struct.pack(f"<{len(starts)}I", *starts) + data
        return b"SYNWORD2" + struct.pack("<II", *sums(rest)) + rest
