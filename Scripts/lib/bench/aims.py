"""The goals of the neural engines, and whether they are met."""

import statistics

ORT = ["ORT"]

# (row, peers, kind, limit). The kind defines the compared value. With `ratio`, our value divided by the best peer's value must not exceed
# the limit. With `faster` (their value divided by ours) and `more` (ours divided by theirs), the limit is a minimum. With `later`, our
# value minus theirs must not exceed the limit. With `below`, our value must be less than the limit.
def _http(peer):
    return [
        ("over HTTP: first byte of audio, short text", [peer], "ratio", 0.5),
        ("over HTTP: first byte of audio, paragraph", [peer], "ratio", 0.5),
        *((f"over HTTP: {clients} concurrent, first byte of audio", [peer], "ratio", 0.5) for clients in (1, 8, 32)),
        *((f"over HTTP: {clients} concurrent, audio per second", [peer], "more", 1.3) for clients in (1, 8, 32)),
        ("over HTTP: peak memory of all processes", [peer], "ratio", 0.5),
        ("over HTTP: memory of all processes, afterwards", [peer], "ratio", 0.5),
    ]


AIMS = {
    "piper": [
        ("new process, cache present: first audio", ["piper-tts", "sherpa-onnx"], "ratio", 0.333),
        ("new process, cache absent: first audio", ["piper-tts", "sherpa-onnx"], "ratio", 1),
        ("loaded: first audio, short text", ORT, "later", 5),
        ("loaded: first audio, paragraph", ORT, "later", 5),
        ("loaded: first audio, paragraph", ["piper-tts"], "ratio", 0.6),
        ("new process through a service: first audio", ORT, "later", 25),
        ("real-time factor, short text", ORT, "ratio", 1.03),
        ("real-time factor, paragraph", ORT, "ratio", 1.03),
        ("a text of 3000 words", ["piper-tts"], "faster", 1.1),
        ("a text of 3000 words", ["sherpa-onnx"], "faster", 1.4),
        ("memory after load", [], "below", 60),
        ("memory after 200 sentences", ["piper-tts"], "ratio", 0.75),
        *_http("piper-tts"),
    ],
    "kokoro": [
        ("new process, cache present: first audio", ["sherpa-onnx"], "ratio", 0.9),
        ("loaded: first audio, short text", ["kokoro-onnx"], "ratio", 0.5),
        ("loaded: first audio, paragraph", ["kokoro-onnx"], "ratio", 0.1),
        ("real-time factor, paragraph", ["kokoro-onnx"], "ratio", 0.6),
        ("loaded: first audio, paragraph", ["sherpa-onnx"], "ratio", 0.7),
        ("real-time factor, short text", ORT, "ratio", 1.03),
        ("real-time factor, paragraph", ORT, "ratio", 1.03),
        ("memory after load", [], "below", 160),
        ("peak memory with a paragraph, largest process", ["kokoro-onnx"], "ratio", 0.6),
        *_http("kokoro-onnx"),
    ],
    "hibari": [
        ('loaded: "button", first audio', [], "below", 12),
        ("loaded: 11 words, first audio", [], "below", 15),
        ("loaded: 42 words, first audio", [], "below", 18),
        ("loaded: 42 words, complete", [], "below", 60),
        ("loaded: 120 words, real-time factor", [], "below", 0.005),
        ("loaded: 120 words, real-time factor", ["hibari-tts"], "ratio", 1),
        ('new process, through a service: "button", first audio', [], "below", 22),
        ('new process, no service: "button", first audio', [], "below", 120),
        ("  real-time factor, two lanes", [], "below", 0.003),
        ("  real-time factor, on one processor", [], "below", 0.005),
        ("  after 200 sentences", [], "below", 120),
    ],
}


def judge(kind, rows, form):
    """Judges synthhost with this form of the model."""
    return [aim for what, beside, how, limit in AIMS[kind] if (aim := _judge(rows, form, what, beside, how, limit))]


def _judge(rows, form, what, beside, how, limit):
    row = next((row for row in rows if _matches(row["what"], what)), None)
    if row is None or any(name not in row["values"] for name in [form, *beside]):
        return None
    ours = row["values"][form]
    # Pair the values, because the programs take turns and a temporary slowdown of the machine affects both.
    theirs = [min(values) for values in zip(*(row["values"][name] for name in beside))]
    compare = {
        "ratio": lambda a, b: a / b, "faster": lambda a, b: b / a, "more": lambda a, b: a / b, "later": lambda a, b: a - b,
        "below": lambda a, _: a}
    reached = statistics.median(compare[how](a, b) for a, b in zip(ours, theirs or ours))
    # Use the best values, measured while no other program used the machine.
    least = max if how == "more" else min
    best = compare[how](least(ours), least(theirs or ours))
    is_met = reached >= limit if how in ("faster", "more") else reached < limit if how == "below" else reached <= limit
    return {
        "what": row["what"], "unit": row["unit"], "beside": " or ".join(beside), "how": how, "limit": limit,
        "ours": statistics.median(ours), "theirs": statistics.median(theirs) if theirs else None, "reached": reached,
        "of the best turns": best, "met": is_met}


def _matches(found, wanted):
    """Whether this is the requested row. The number of words of the long text may differ."""
    return found == wanted or (wanted.startswith("a text of") and found.startswith("a text of"))
