"""gather.py SOURCES OUT: collects sentences for the tagger, one per line, and the sentences that are held out for the tests."""
import glob, os, random, re, subprocess, sys
src, out = sys.argv[1:3]
def detokenize(line):
    text = ""
    open_quote = False
    for item in line.split():
        if "_" not in item: continue
        word, tag = item.rsplit("_", 1)
        if word in ("-LRB-", "-LSB-"): word = "("
        if word in ("-RRB-", "-RSB-"): word = ")"
        glue = tag in (",", ".", ":", "POS", "''", "-RRB-", ")") and word not in ("-", "--", "—") or word in ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m", ")", ",", ".", "?", "!", ";", ":", "%", "''")
        if word in ("``",): word = '"'
        elif word == "''": word = '"'
        if text and not glue and not text.endswith(("(", " \"", "$")) and text != '"': text += " "
        text += word
    return text
def fine(s):
    w = s.split()
    return 4 <= len(w) <= 45 and "_" not in s and "http" not in s and "<" not in s and "@" not in s and "{" not in s and s[0].isalnum() | (s[0] in "\"'“(")
train, test = [], []
for i, f in enumerate(sorted(glob.glob(src + "/masc_tagged/**/*.txt", recursive=True))):
    if f.endswith("categories.txt"): continue
    rows = [detokenize(l) for l in open(f, encoding="utf-8", errors="replace")]
    (test if i % 12 == 5 else train).extend(("masc", r) for r in rows if r and fine(r))
for i, f in enumerate(sorted(glob.glob(src + "/state_union/*.txt"))):
    t = open(f, encoding="latin-1").read()
    for p in re.split(r"\n\s*\n", t):
        for s in re.split(r"(?<=[.!?])\s+(?=[A-Z\"])", " ".join(p.split())):
            if s and fine(s): (test if i % 20 == 7 else train).append(("state", s))
for name in ("noun", "verb", "adj", "adv"):
    for line in open(f"{src}/wn/usr/share/wordnet/data.{name}", encoding="utf-8", errors="replace"):
        if line.startswith("  ") or "|" not in line: continue
        for q in re.findall(r'"([^"]+)"', line.split("|", 1)[1]):
            q = q.strip()
            if len(q.split()) > 3 and fine(q): train.append(("wn", q if q[-1] in ".!?" else q + (random.Random(q).choice([".", ""]))))
for f in glob.glob(src + "/fo/usr/share/games/fortunes/*.u8"):
    f = f[:-3]
    if not os.path.exists(f): continue
    for q in open(f, encoding="utf-8", errors="replace").read().split("\n%\n"):
        q = re.split(r"\n\s*-- ", q)[0]
        for s in re.split(r"(?<=[.!?])\s+(?=[A-Z\"])", " ".join(q.split())):
            if s and fine(s): train.append(("fortune", s))
seen = set(s for _, s in test)
train = [r for r in train if r[1] not in seen]
random.Random(5).shuffle(train); random.Random(6).shuffle(test)
from collections import Counter
print(len(train), sum(len(s.split()) for _, s in train), Counter(n for n, _ in train), len(test), Counter(n for n, _ in test))
for name, rows in (("train", train), ("test", test)):
    with open(f"{out}/{name}.txt", "w") as f: f.writelines(f"{n}\t{s}\n" for n, s in rows)
