"""build_words.py MISAKI_DATA OUT_FOLDER: misaki's lists in the form that SynthEnglish reads. Words.swift has the format."""
import json, os, struct, sys

TAGS = ["DEFAULT", "None", "NOUN", "VERB", "ADJ", "ADV", "VBD", "VBN", "VBP", "DT"]
BLOCK = 16
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
    """The word whose sounds tell those of `word`, and how; the first that the reader would find."""
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
    """The silver words that cannot be told from others."""
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


def main():
    folder, out = sys.argv[1:3]
    for accent, name in (("us", "american"), ("gb", "british")):
        gold = json.load(open(os.path.join(folder, accent + "_gold.json"), encoding="utf-8"))
        silver = json.load(open(os.path.join(folder, accent + "_silver.json"), encoding="utf-8"))
        gold = {k: ({t: p for t, p in v.items()} if isinstance(v, dict) else v) for k, v in gold.items()}
        before = len(silver)
        silver = reduced(gold, silver, accent == "gb")
        rows = [(w.encode(), 0, v) for w, v in gold.items()] + [(w.encode(), 1, v) for w, v in silver.items()]
        rows.sort(key=lambda r: (r[0], r[1]))
        symbols = sorted({c for _, _, v in rows for x in (v.values() if isinstance(v, dict) else [v]) if x for c in x})
        code = {c: i for i, c in enumerate(symbols)}
        spell = lambda p: bytes(code[c] for c in p)
        data, starts, last = bytearray(), [], b""
        for i, (word, is_silver, value) in enumerate(rows):
            if i % BLOCK == 0:
                starts.append(len(data)); shared = 0
            else:
                shared = 0
                while shared < min(len(word), len(last)) and word[shared] == last[shared]: shared += 1
            last = word
            data += bytes([shared, len(word) - shared]) + word[shared:]
            if isinstance(value, str):
                assert len(value) < 64, value
                data += bytes([is_silver << 7 | len(value)]) + spell(value)
            else:
                items = [(TAGS.index(t), p) for t, p in value.items()]
                data += bytes([is_silver << 7 | 0x40 | len(items)])
                for t, p in items: data += bytes([t, 255]) if p is None else bytes([t, len(p)]) + spell(p)
        starts.append(len(data))
        alphabet = "".join(symbols).encode()
        head = b"SYNWORD1" + struct.pack("<IIII", len(rows), len(starts) - 1, len(symbols), len(alphabet))
        target = os.path.join(out, name + ".words")
        with open(target, "wb") as f: f.write(head + alphabet + struct.pack(f"<{len(starts)}I", *starts) + bytes(data))
        print(target, len(gold), before, len(silver), os.path.getsize(target), len(symbols))


if __name__ == "__main__": main()
