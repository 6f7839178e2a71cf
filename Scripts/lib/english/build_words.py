"""build_words.py MISAKI_DATA OUT_FOLDER: converts misaki's lists to the format that SynthEnglish reads, as
english.words."""
import json, os, sys

from word_file import Writer

TAUS = set("AIOWYiuæɑəɛɪɹʊʌ")


def ends_s(stem, british):
    if stem[-1] in "ptkfθ": return stem + "s"
    if stem[-1] in "szʃʒʧʤ": return stem + ("ɪ" if british else "ᵻ") + "z"
    return stem + "z"


def ends_ed(stem, british):
    if stem[-1] in "pkfθʃsʧ": return stem + "t"
    if stem[-1] == "d": return stem + ("ɪ" if british else "ᵻ") + "d"
    if stem[-1] != "t": return stem + "d"
    if british or len(stem) < 2: return stem + "ɪd"
    return stem[:-1] + "ɾᵻd" if stem[-2] in TAUS else stem + "ᵻd"


def ends_ing(stem, british):
    if british and stem[-1] in "əː": return None
    if not british and len(stem) > 1 and stem[-1] == "t" and stem[-2] in TAUS: return stem[:-1] + "ɾɪŋ"
    return stem + "ɪŋ"


def stem_of(word, known):
    """Returns the word from which `word` is derived, and how. If there are several, returns the one that SynthEnglish would find first."""
    if word.endswith("s") and len(word) > 2:
        if not word.endswith("ss") and known(word[:-1]): return word[:-1], ends_s
        if (word.endswith("'s") or len(word) > 4 and word.endswith("es") and not word.endswith("ies")) and known(word[:-2]): return word[:-2], ends_s
        if len(word) > 4 and word.endswith("ies") and known(word[:-3] + "y"): return word[:-3] + "y", ends_s
    if word.endswith("d") and len(word) > 3:
        if not word.endswith("dd") and known(word[:-1]): return word[:-1], ends_ed
        if len(word) > 4 and word.endswith("ed") and not word.endswith("eed") and known(word[:-2]): return word[:-2], ends_ed
    if word.endswith("ing") and len(word) > 4:
        if len(word) > 5 and known(word[:-3]): return word[:-3], ends_ing
        if known(word[:-3] + "e"): return word[:-3] + "e", ends_ing
        if len(word) > 5 and (word[-4] == word[-5] and word[-4] in "bcdgklmnprstvxz" or word.endswith("cking")) and known(word[:-4]): return word[:-4], ends_ing
    return None, None


def reduced(gold, silver, british):
    """Returns the silver words that cannot be derived from others."""
    def grown(words):
        out = set(words)
        for w in words:
            if len(w) > 1:
                out.add(w.lower() if w == w.capitalize() else w)
                if w == w.lower(): out.add(w.capitalize())
        return out
    g, s = grown(gold), grown(silver)
    known = lambda w: len(w) == 1 or w in g or w in s
    find = lambda w: gold.get(w) or gold.get(w.capitalize()) or gold.get(w.lower()) or silver.get(w) or silver.get(w.capitalize())
    removable, needed = {}, set()
    for word, value in silver.items():
        if word in g or word != word.lower(): continue
        stem, ending = stem_of(word, known)
        if not stem or len(stem) < 2: continue
        told = find(stem)
        if not isinstance(told, str) or not any(c in told for c in "ˈˌ"): continue
        if ending(told, british) == value: removable[word] = stem
    needed = set(removable.values())
    return {w: v for w, v in silver.items() if w not in removable or w in needed}


def partner(word):
    """Returns the word with its first letter in the other case. The reader looks up both."""
    lower = word.lower()
    capital = lower[:1].upper() + lower[1:]
    if len(word) < 2 or lower == capital: return None
    return lower if word == capital else capital if word == lower else None


def entries(folder, accent):
    """Returns a mapping of words to (is silver, value). A silver word that gold also contains is never looked up."""
    gold, silver = (json.load(open(os.path.join(folder, f"{accent}_{name}.json"), encoding="utf-8")) for name in ("gold", "silver"))
    kept = reduced(gold, silver, accent == "gb")
    found = {word: (True, value) for word, value in kept.items() if word not in gold and partner(word) not in gold}
    print(accent, len(gold), len(silver), len(found))
    return found | {word: (False, value) for word, value in gold.items()}


def main():
    folder, out = sys.argv[1:3]
    data = Writer(entries(folder, "us"), entries(folder, "gb")).file()
    target = os.path.join(out, "english.words")
    with open(target, "wb") as file: file.write(data)
    print(target, len(data))


if __name__ == "__main__": main()
