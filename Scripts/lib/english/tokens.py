"""Splits a text into the tokens that the tagger reads. SynthEnglish's Tokens.swift does the same."""
import re

CONTRACTED = re.compile(r"(?i)^(.+?)(n['’]t|['’](?:s|re|ve|ll|d|m))$")
ABBREVIATION = re.compile(r"^(?:[A-Za-z]\.){2,}$")
TITLES = {"Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Mt.", "Sr.", "Jr.", "Gen.", "Col.", "Capt.", "Lt.", "Sgt.", "Rev.", "Hon.", "vs.",
          "etc.", "Inc.", "Ltd.", "Co.", "Corp.", "Sen.", "Gov.", "Rep."}
PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?|\.{2,}|-{2,}|\S")


def tokens(text):
    """Returns (token, is followed by a space) for each token."""
    out = []
    for chunk in text.split():
        start = len(out)
        head = re.match(r"^[^\w]*", chunk).group(0)
        body = chunk[len(head):]
        for m in PIECE.findall(head): out.append([m, False])
        tail = ""
        while body:
            m = re.match(r"^((?:[A-Za-z]\.){2,})(.*)$", body)
            title = next((t for t in TITLES if body.startswith(t) and not body[len(t):len(t) + 1].isalpha()), None)
            if m and not (m.group(2)[:1].isalnum()):
                out.append([m.group(1), False]); body = m.group(2); continue
            if title and len(body) >= len(title):
                out.append([title, False]); body = body[len(title):]; continue
            m = PIECE.match(body)
            piece = m.group(0); body = body[m.end():]
            if piece[-1] in "'’" and len(piece) > 1:
                # A quotation mark, or a plural possessive.
                c = (piece[:-1], piece[-1])
            else:
                c = CONTRACTED.match(piece)
                c = c.groups() if c else (piece,)
            out += [[p, False] for p in c]
        if out: out[-1][1] = True
    return [(t, s) for t, s in out]

