"""train_letters.py ALIGNED.json OUT.pt EPOCHS [HIDDEN WRITER THREADS]: trains the network for both accents."""
import json, math, random, sys, time
from collections import Counter, defaultdict
import torch
from torch.nn import functional as F
from net import LetterNet, LETTERS
from words import is_held_out, units

source, target, epochs = sys.argv[1], sys.argv[2], float(sys.argv[3])
hidden, writer = (int(x) for x in (sys.argv[4:6] or (128, 192)))
torch.set_num_threads(int(sys.argv[6]) if len(sys.argv) > 6 else 1)
torch.manual_seed(1); random.seed(1)
data = json.load(open(source))
count = Counter(tuple(ch) for rows in data.values() for r in rows if r[3] for ch in r[3])
chunks = sorted([c for c, n in count.items() if n >= 15])
index = {c: i for i, c in enumerate(chunks)}
train, held = [], []
for a, accent in enumerate(("us", "gb")):
    for word, letters, sounds, parts, name in data[accent]:
        ids = [LETTERS.index(c) + a * len(LETTERS) for c in letters]
        if is_held_out(letters):
            held.append((a, word, ids, sounds, name))
        elif parts:
            labels = [index.get(tuple(p), -1) for p in parts]
            if min(labels) >= 0: train.append((ids, labels))
print(len(chunks), "chunks", len(train), "train", len(held), "held", flush=True)
random.Random(3).shuffle(held)
by_length = defaultdict(list)
for ids, labels in train: by_length[len(ids)].append((ids, labels))
tensors = {n: (torch.tensor([r[0] for r in rows]), torch.tensor([r[1] for r in rows])) for n, rows in by_length.items()}

def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        corner, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            corner, row[j + 1] = row[j + 1], min(corner + (x != y), row[j] + 1, row[j + 1] + 1)
    return row[-1]

def evaluate(net, rows):
    net.eval()
    groups = defaultdict(list)
    for r in rows: groups[len(r[2])].append(r)
    err, tot, words, bare = Counter(), Counter(), Counter(), Counter()
    for n, g in groups.items():
        ids = net.greedy(torch.tensor([r[2] for r in g])).tolist()
        for r, out in zip(g, ids):
            said = "".join("".join(chunks[c]) for c in out)
            want = "".join(r[3])
            err[r[0]] += distance(said, want); tot[r[0]] += len(want); words[r[0]] += said != want
            strip = lambda t: t.replace("ˈ", "").replace("ˌ", "")
            bare[r[0]] += distance(strip(said), strip(want)); bare[r[0], 't'] += len(strip(want))
    net.train()
    return {("us", "gb")[a]: (round(100 * err[a] / tot[a], 2), round(100 * bare[a] / bare[a, 't'], 2), round(100 * words[a] / sum(r[0] == a for r in rows), 1)) for a in (0, 1)}

net = LetterNet(len(chunks), hidden=hidden, writer=writer)
print(sum(p.numel() for p in net.parameters()), "parameters", flush=True)
import os; BF = bool(os.environ.get("BF")); BATCH = 384
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.01)
steps_epoch = sum(math.ceil(len(t[0]) / BATCH) for t in tensors.values())
steps = int(epochs * steps_epoch)
step = 0; start = time.time(); mean = 0
while step < steps:
    plan = []
    for n, (x, y) in tensors.items():
        order = torch.randperm(len(x))
        plan += [(n, order[i:i + BATCH]) for i in range(0, len(x), BATCH)]
    random.shuffle(plan)
    for n, rows in plan:
        if step >= steps: break
        x, y = tensors[n][0][rows], tensors[n][1][rows]
        before = torch.cat([torch.full((len(x), 1), len(chunks)), y[:, :-1]], 1)
        lr = 3e-3 * min(1, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * step / steps)) * len(x) / BATCH + 1e-6
        for g in opt.param_groups: g["lr"] = lr
        with torch.autocast("cpu", torch.bfloat16, enabled=BF): logits = net(x, before)
        loss = F.cross_entropy(logits.float().flatten(0, 1), y.flatten(), label_smoothing=0.05)
        opt.zero_grad(set_to_none=True); loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        mean += 0.01 * (loss.item() - mean); step += 1
        if step % 100 == 0 and step <= 300 or step % 500 == 0:
            print(step, steps, round(mean, 4), round(time.time() - start), flush=True)
        if step % 2500 == 0: print(evaluate(net, held[:1500]), flush=True)
    torch.save(dict(state=net.state_dict(), sizes=net.sizes, chunks=chunks), target)
print("all held", evaluate(net, held), flush=True)
print("names", evaluate(net, [r for r in held if r[1][0].isupper()]), flush=True)
