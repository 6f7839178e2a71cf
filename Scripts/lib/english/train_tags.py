"""train_tags.py TRAIN.json TEST.json OUT.pt EPOCHS: trains the tagger."""
import json, random, sys, time, math
import torch
from torch import nn
from torch.nn import functional as F

TABLES = (12288, 4096, 1536, 512)
SIZE, WIDTH, LAYERS = 40, 96, 3


def mix(text, seed):
    """Returns the FNV-1a hash of the UTF-8 text with a seed."""
    h = (2166136261 ^ seed) & 0xFFFFFFFF
    for b in text.encode():
        h = ((h ^ b) * 16777619) & 0xFFFFFFFF
    h ^= h >> 15
    return h


def shape(word):
    out = ""
    for c in word:
        k = "X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c
        if not out.endswith(k * 3): out += k
    return out


cache = {}
def features(word):
    f = cache.get(word)
    if f is None:
        low = word.lower()
        f = (mix(low, 1) % TABLES[0], mix(low, 2) % TABLES[0], mix(low[-3:], 3) % TABLES[1], mix(low[:2], 4) % TABLES[2], mix(shape(word), 5) % TABLES[3])
        cache[word] = f
    return f


class Tagger(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, SIZE) for n in TABLES)
        self.enter = nn.Linear(4 * SIZE, WIDTH)
        self.layers = nn.ModuleList(nn.Conv1d(WIDTH, WIDTH, 3, padding=1) for _ in range(LAYERS))
        self.out = nn.Linear(WIDTH, tags)
        self.drop = nn.Dropout(0.2)

    def forward(self, ids, mask):
        a, b, c, d = self.tables
        x = torch.cat([a(ids[..., 0]) + a(ids[..., 1]), b(ids[..., 2]), c(ids[..., 3]), d(ids[..., 4])], -1)
        x = torch.relu(self.enter(self.drop(x))) * mask
        for layer in self.layers:
            x = (x + torch.relu(layer(self.drop(x).transpose(1, 2)).transpose(1, 2))) * mask
        return self.out(self.drop(x))


if __name__ == "__main__":
    torch.set_num_threads(1); torch.manual_seed(1); random.seed(1)
    train, test = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
    names = sorted({t for _, ts in train for t in ts})
    index = {t: i for i, t in enumerate(names)}
    def batch(rows):
        n = max(len(w) for w, _ in rows)
        ids = torch.zeros(len(rows), n, 5, dtype=torch.long); tags = torch.full((len(rows), n), -100)
        mask = torch.zeros(len(rows), n, 1)
        for i, (w, t) in enumerate(rows):
            ids[i, :len(w)] = torch.tensor([features(x) for x in w]); tags[i, :len(t)] = torch.tensor([index.get(x, -100) for x in t]); mask[i, :len(w)] = 1
        return ids, tags, mask
    def chop(rows, size=3000):
        out, now, longest = [], [], 0
        for r in rows:
            if now and max(longest, len(r[0])) * (len(now) + 1) > size: out.append(now); now, longest = [], 0
            now.append(r); longest = max(longest, len(r[0]))
        if now: out.append(now)
        return out
    # Sort by length, so that the sentences of a batch need little padding.
    order = sorted(range(len(train)), key=lambda i: len(train[i][0]))
    batches = [batch(b) for b in chop([train[i] for i in order])]
    tests = [batch(b) for b in chop(sorted(test, key=lambda r: len(r[0])))]
    net = Tagger(len(names)); epochs = int(sys.argv[4]); steps = epochs * len(batches); step = 0; start = time.time()
    print(len(batches), sum(p.numel() for p in net.parameters()), flush=True)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(epochs):
        random.shuffle(batches)
        for ids, tags, mask in batches:
            for g in opt.param_groups: g["lr"] = 3e-3 * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * step / steps)) + 1e-6
            # To simulate unknown words, remove the word features of some tokens.
            lost = torch.rand(ids.shape[:2]) < 0.04
            ids2 = ids.clone(); ids2[..., 0][lost] = 0; ids2[..., 1][lost] = 0
            loss = F.cross_entropy(net(ids2, mask).flatten(0, 1), tags.flatten(), ignore_index=-100)
            opt.zero_grad(set_to_none=True); loss.backward(); opt.step(); step += 1
        net.eval(); good = all_ = 0
        with torch.no_grad():
            for ids, tags, mask in tests:
                p = net(ids, mask).argmax(-1); k = tags != -100; good += (p[k] == tags[k]).sum().item(); all_ += k.sum().item()
        net.train(); print(epoch, round(loss.item(), 3), round(100 * good / all_, 2), round(time.time() - start), flush=True)
        torch.save(dict(state=net.state_dict(), names=names), sys.argv[3])
