"""Reads misaki's word lists, splits them into word families, and aligns letters with phonemes."""
import hashlib, json, math, os, re, unicodedata
from collections import Counter, defaultdict

ACCENTS = ("us", "gb")
LETTERS = "abcdefghijklmnopqrstuvwxyz'"
VOWEL_LETTERS = set("aeiouy")
VOWELS = set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻᵊ")
STRESS = "ˈˌ"


def fold(word):
    """Returns the word in lowercase without accents, or None if it contains anything but letters."""
    word = unicodedata.normalize("NFKD", word.lower().replace("’", "'"))
    for a, b in (("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("ł", "l"), ("đ", "d"), ("ð", "th"), ("þ", "th")):
        word = word.replace(a, b)
    word = "".join(c for c in word if not unicodedata.combining(c))
    return word if word and all(c in LETTERS for c in word) else None


def units(symbols):
    """Returns one unit per phoneme. Stress and length marks are part of their vowel."""
    out = []
    mark = ""
    for c in symbols.replace("ɾ", "T").replace("ʔ", "t"):
        if c in STRESS:
            mark = c
        elif c == "ː" and out:
            out[-1] += c
        else:
            if mark and c in VOWELS:
                out.append(mark + c)
                mark = ""
            else:
                out.append(c)
    return out


SUFFIXES = ["'s", "'", "ingly", "edly", "nesses", "ness", "ments", "ment", "ings", "ing", "ers", "er", "ors", "or", "est", "ies", "ied",
            "es", "s", "ed", "ly", "able", "ably", "ability", "ible", "ibly", "ibility", "ations", "ation", "ions", "ion", "ive", "ively", "al",
            "ally", "ity", "ities", "izes", "ized", "izing", "izers", "izer", "ize", "ises", "ised", "ising", "iser", "ise", "ism", "isms", "ists",
            "ist", "istic", "ic", "ical", "ically", "ics", "ous", "ously", "ousness", "ful", "fully", "less", "lessly", "lessness", "ship", "ships",
            "hood", "ish", "ian", "ians", "an", "ans", "ary", "aries", "ate", "ated", "ates", "ating", "ator", "ators", "ia", "y", "e", "age", "ages"]
SUFFIXES.sort(key=len, reverse=True)
PREFIXES = ["counter", "under", "inter", "super", "trans", "anti", "over", "fore", "semi", "non", "out", "mis", "dis", "sub", "pre", "re", "un", "in", "im", "de"]


def family(word):
    """Returns a key that a word shares with its inflected and derived forms."""
    key = word
    for prefix in PREFIXES:
        if key.startswith(prefix) and len(key) - len(prefix) >= 4:
            key = key[len(prefix):]
            break
    again = True
    while again:
        again = False
        for suffix in SUFFIXES:
            if key.endswith(suffix) and len(key) - len(suffix) >= 4:
                key = key[:-len(suffix)]
                again = True
                break
    if len(key) > 4 and key[-1] == key[-2]:
        key = key[:-1]
    return key


def is_held_out(word):
    digest = hashlib.sha256(("family:" + family(word)).encode()).digest()
    return digest[0] * 256 + digest[1] < 65536 * 0.03


def entries(folder, accent):
    """Yields (word as written, letters, phonemes, list) for each entry whose letters determine its phonemes."""
    for name in ("gold", "silver"):
        with open(os.path.join(folder, f"{accent}_{name}.json"), encoding="utf-8") as f:
            data = json.load(f)
        for word, value in data.items():
            if isinstance(value, dict):
                value = value["DEFAULT"]
            letters = fold(word)
            if not letters or len(letters) < 2 or (len(word) > 1 and word == word.upper()) or not value:
                continue
            if len(letters) > 24:
                continue
            yield word, letters, units(value), name


class Aligner:
    """Aligns letters and phonemes with hard expectation maximization."""
    LONGEST = 3

    def __init__(self):
        self.cost = {}

    def initial(self, letter, chunk):
        n = len(chunk)
        if n == 0:
            return 2.5 if letter != "'" else 0.1
        cost = (0, 0, 3, 6)[n]
        for unit in chunk:
            is_vowel = unit[-1] in VOWELS or unit[-1] == "ː"
            if is_vowel != (letter in VOWEL_LETTERS):
                cost += 2.5
        return cost

    def price(self, letter, chunk):
        if self.cost:
            c = self.cost.get((letter, chunk))
            return c if c is not None else 14 + 2 * len(chunk)
        return self.initial(letter, chunk)

    def align(self, letters, sounds):
        n, m = len(letters), len(sounds)
        INF = 1e9
        best = [[INF] * (m + 1) for _ in range(n + 1)]
        back = [[0] * (m + 1) for _ in range(n + 1)]
        best[0][0] = 0
        cost, price = self.cost, self.price
        for i in range(n):
            letter = letters[i]
            row, nxt, bk = best[i], best[i + 1], back[i + 1]
            rest = self.LONGEST * (n - i - 1)
            for j in range(m + 1):
                b = row[j]
                if b >= INF:
                    continue
                for k in range(0, min(self.LONGEST, m - j) + 1):
                    if m - j - k > rest:
                        continue
                    c = b + price(letter, sounds[j:j + k])
                    if c < nxt[j + k]:
                        nxt[j + k] = c
                        bk[j + k] = k
        if best[n][m] >= INF:
            return None, INF
        chunks = []
        j = m
        for i in range(n, 0, -1):
            k = back[i][j]
            chunks.append(sounds[j - k:j])
            j -= k
        return chunks[::-1], best[n][m]

    def fit(self, pairs, rounds=6):
        for _ in range(rounds):
            count = Counter()
            total = Counter()
            for letters, sounds in pairs:
                chunks, _ = self.align(letters, sounds)
                if chunks is None:
                    continue
                for letter, chunk in zip(letters, chunks):
                    count[letter, chunk] += 1
                    total[letter] += 1
            self.cost = {k: -math.log((v) / (total[k[0]] + 5.0)) for k, v in count.items() if v > 1}
