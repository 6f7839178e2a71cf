"""export.py tags TAGS.pt OUT | sounds LETTERS.pt OUT: converts trained networks to the files that SynthEnglish reads. Tensors.swift
documents the format."""
import struct, sys, torch

class Writer:
    def __init__(self, lists):
        self.data = bytearray(b"SYNNETS1" + struct.pack("<I", len(lists)))
        for names in lists:
            self.data += struct.pack("<I", len(names))
            for n in names: self.data += struct.pack("<I", len(n.encode())) + n.encode()
        self.tensors = []
    def bytes(self, t):
        t = t.detach().float()
        scale = t.abs().amax(1).clamp(min=1e-8) / 127
        q = torch.round(t / scale[:, None]).to(torch.int8)
        self.tensors.append(struct.pack("<III", 1, *t.shape) + scale.numpy().astype("<f4").tobytes() + q.contiguous().numpy().tobytes())
    def floats(self, t):
        self.tensors.append(struct.pack("<III", 0, 1, t.numel()) + t.detach().float().numpy().astype("<f4").tobytes())
    def save(self, path):
        data = bytes(self.data) + struct.pack("<I", len(self.tensors)) + b"".join(self.tensors)
        open(path, "wb").write(data); print(path, len(data))

kind, source, target = sys.argv[1:4]
f = torch.load(source, map_location="cpu"); s = f["state"]
if kind == "tags":
    w = Writer([f["names"]])
    for i in range(4): w.bytes(s[f"tables.{i}.weight"])
    w.bytes(s["enter.weight"]); w.floats(s["enter.bias"])
    for i in range(3):
        # The three tokens of a window, concatenated.
        w.bytes(s[f"layers.{i}.weight"].permute(0, 2, 1).reshape(s[f"layers.{i}.weight"].shape[0], -1)); w.floats(s[f"layers.{i}.bias"])
    w.bytes(s["out.weight"]); w.floats(s["out.bias"])
else:
    w = Writer([["".join(c) for c in f["chunks"]]])
    w.bytes(s["letters.weight"])
    for layer, ends in (("first", ("", "_reverse")), ("second", ("", "_reverse"))):
        for e in ends:
            w.bytes(s[f"{layer}.weight_ih_l0{e}"]); w.bytes(s[f"{layer}.weight_hh_l0{e}"]); w.floats(s[f"{layer}.bias_ih_l0{e}"]); w.floats(s[f"{layer}.bias_hh_l0{e}"])
    w.bytes(s["previous.weight"])
    w.bytes(s["writer.weight_ih_l0"]); w.bytes(s["writer.weight_hh_l0"]); w.floats(s["writer.bias_ih_l0"]); w.floats(s["writer.bias_hh_l0"])
    w.bytes(s["out.weight"]); w.floats(s["out.bias"])
w.save(target)
