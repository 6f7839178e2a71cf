"""align.py MISAKI_DATA OUT.json: writes the aligned words of both accents, for train_letters.py."""
import json, random, sys, time
from collections import Counter
from multiprocessing import Pool
from words import *

def work(job):
    folder, accent = job
    rows = []
    for word, letters, sounds, name in entries(folder, accent):
        rows.append((word, letters, tuple(sounds), name))
    random.Random(7).shuffle(rows)
    a = Aligner()
    a.fit([(l, s) for _, l, s, _ in rows[:30000]])
    out = []
    dropped = 0
    for word, letters, sounds, name in rows:
        chunks, cost = a.align(letters, sounds)
        if chunks is None or cost > 6.0 * len(letters):
            dropped += 1
            held = is_held_out(letters)
            if held: out.append((word, letters, sounds, None, name))
            continue
        out.append((word, letters, sounds, chunks, name))
    print(accent, len(out), 'dropped', dropped, flush=True)
    return out

if __name__ == "__main__":
    folder, target = sys.argv[1:3]
    t = time.time()
    with Pool(2) as p:
        res = p.map(work, [(folder, a) for a in ACCENTS])
    for accent, rows in zip(ACCENTS, res):
        c = Counter("".join(ch) for r in rows if r[3] for ch in r[3])
        print(accent, len(c), sum(1 for v in c.values() if v >= 15), c.most_common(12), time.time() - t)
        print([(r[0], " ".join("".join(c) or "-" for c in r[3])) for r in rows[:12] if r[3]])
    json.dump(dict(zip(ACCENTS, res)), open(target, "w"), ensure_ascii=False)
