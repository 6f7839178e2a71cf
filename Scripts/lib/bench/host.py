"""Compares the espeak-ng command with the host, which uses espeak-ng as its engine. This shows the cost of isolation."""

import json
import os
import shutil
import signal
import subprocess
import time

from bench import archive, book, downloads, listening, service, words
from bench.measuring import PROGRAM, ROOT, Folders, first_sound, median, percentile, run, turns, wav_seconds

SHORT = "Hello, world."
PARAGRAPH = (
    "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to tell the "
    "depth of a well. These days a chicken leg is a rare dish. Rice is often served in round bowls. The juice of "
    "lemons makes fine punch. "
)


def interrupt(environment, folders):
    """Sends SIGINT during a long text. Returns the seconds until the process ends."""
    text = folders.file("long.txt")
    with open(text, "w") as file:
        file.write(PARAGRAPH * 2000)
    process = subprocess.Popen(
        [PROGRAM, "speak", "-e", "espeak-ng", "-f", text, "--raw"], env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    os.read(process.stdout.fileno(), 4096)
    start = time.perf_counter()
    process.send_signal(signal.SIGINT)
    process.wait()
    seconds = time.perf_counter() - start
    process.stdout.close()
    return seconds


def speak(runs, folders):
    environment = folders.environment
    ours, theirs = folders.file("ours.wav"), folders.file("theirs.wav")
    voice = ["-e", "espeak-ng", "-v", "en"]
    whole = turns(
        runs,
        ours=lambda: run([PROGRAM, "speak", "-q", *voice, SHORT, "-o", ours], environment),
        theirs=lambda: run(["espeak-ng", "-v", "en", SHORT, "-w", theirs], environment),
        floor=lambda: run([PROGRAM, "--version"], environment))
    first = turns(
        runs,
        ours=lambda: first_sound([PROGRAM, "speak", "-q", *voice, PARAGRAPH, "-o", "-"], environment),
        theirs=lambda: first_sound(["espeak-ng", "-v", "en", PARAGRAPH, "--stdout"], environment))
    text = (PARAGRAPH * 100).encode()
    long = turns(
        max(3, runs // 5),
        ours=lambda: run([PROGRAM, "speak", "-q", *voice, "-o", ours, "-f", "-"], environment, stdin=text, watch=True),
        theirs=lambda: run(["espeak-ng", "-v", "en", "--stdin", "-w", theirs], environment, stdin=text, watch=True))
    sound = {"ours": wav_seconds(ours), "theirs": wav_seconds(theirs)}
    rows = [
        row("start to a complete short WAV file", "ms", whole, lambda r: r["seconds"] * 1000),
        row("start to the first sample", "ms", first, lambda r: r * 1000),
        row(f"{sound['ours'] / 60:.0f} min of speech into a file", "ms", long, lambda r: r["seconds"] * 1000),
        row("  processor time", "ms", long, lambda r: r["cpu"] * 1000),
        row("  peak memory, largest process", "MB", long, lambda r: r["peak"] / 1e6),
    ]
    real_time = {
        name: [{"rtf": result["seconds"] / sound[name]} for result in results] for name, results in long.items()}
    rows.append(row("  real-time factor", "", real_time, lambda r: r["rtf"], digits=5))
    rows.append({"what": "start of the program alone", "unit": "ms",
                 "synthhost": round(median([r["seconds"] * 1000 for r in whole["floor"]]), 1)})
    return rows


def row(what, unit, results, value, digits=1):
    ours = median([value(result) for result in results["ours"]])
    theirs = median([value(result) for result in results["theirs"]])
    return {"what": what, "unit": unit, "synthhost": round(ours, digits), "espeak-ng": round(theirs, digits),
            "ratio": round(ours / theirs, 2), "difference": round(ours - theirs, digits)}


def scan(runs, folders):
    """Measures twenty plugins in the folder, scanned for the first time and from the cache."""
    plugins = folders.file("plugins")
    os.makedirs(plugins, exist_ok=True)
    tone = os.path.join(ROOT, ".build", "release", "libTone.so")
    for number in range(20):
        shutil.copy(tone, os.path.join(plugins, f"tone{number:02}.so"))
    command = [PROGRAM, "engines", "list", "--plugins-dir", plugins]
    results = turns(
        runs, cold=lambda: run([*command, "--rescan"], folders.environment),
        cached=lambda: run(command, folders.environment),
        floor=lambda: run([PROGRAM, "--version"], folders.environment))
    milliseconds = {name: median([r["seconds"] * 1000 for r in values]) for name, values in results.items()}
    return [
        {"what": "scanning 20 plugins for the first time", "unit": "ms", "synthhost": round(milliseconds["cold"], 1)},
        {"what": "listing 20 plugins from the cache, minus the start", "unit": "ms",
         "synthhost": round(milliseconds["cached"] - milliseconds["floor"], 1)},
    ]


def cancel(runs, folders):
    """Measures cancellations: the time until the engine returns, as reported by the engine checks, and the time from Ctrl-C to the end of
    the process."""
    ends = [interrupt(folders.environment, folders) * 1000 for _ in range(runs)]
    engine = os.path.join(ROOT, ".build", "release", "libEspeakNG.so")
    command = [PROGRAM, "engines", "validate", engine, "--json", "--include", "cancel-from-another-thread|cancel-is-quick"]
    # The command fails on a busy machine, but still reports the times.
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    report = json.loads(subprocess.run(command, env=folders.environment, **quiet).stdout)
    inside = {m["name"]: m["value"] for check in report["checks"] for m in check.get("measurements", [])}
    rows = [
        {"what": f"cancellation of an engine, {name.split()[-1]}", "unit": "ms", "synthhost": round(value, 2)}
        for name, value in sorted(inside.items()) if "cancel" in name
    ]
    return rows + [
        {"what": "Ctrl-C to the end of the program, p50", "unit": "ms", "synthhost": round(median(ends), 1)},
        {"what": "Ctrl-C to the end of the program, p99", "unit": "ms", "synthhost": round(percentile(ends, 0.99), 1)},
    ]


def first_of_book(runs, folders):
    """Compares the time to the first sample of a 5 MB book with the same time for its first sentence alone."""
    book, sentence = folders.file("book.txt"), folders.file("sentence.txt")
    with open(book, "w") as file:
        file.write(PARAGRAPH * (5_000_000 // len(PARAGRAPH)))
    with open(sentence, "w") as file:
        file.write(PARAGRAPH[: PARAGRAPH.index(".") + 1])
    command = [PROGRAM, "speak", "-q", "-e", "espeak-ng", "-o", "-", "-f"]
    results = turns(
        runs, book=lambda: first_sound([*command, book], folders.environment),
        sentence=lambda: first_sound([*command, sentence], folders.environment))
    later = (median(results["book"]) - median(results["sentence"])) * 1000
    return [{"what": "extra time to the first sample of a 5 MB book", "unit": "ms", "synthhost": round(later, 1)}]


def table(rows):
    lines = [f"{'':60} {'synthhost':>10} {'espeak-ng':>10} {'ratio':>6}"]
    for entry in rows:
        what = f"{entry['what']} ({entry['unit']})" if entry["unit"] else entry["what"]
        theirs = entry.get("espeak-ng", "")
        lines.append(f"{what:60} {entry['synthhost']:>10} {theirs:>10} {entry.get('ratio', ''):>6}")
    return "\n".join(lines)


def run_all(arguments):
    runs = 3 if arguments.quick else max(3, arguments.runs or 30)
    if arguments.parts == "words":
        rows = words.book(runs)
        return {"runs": runs, "rows": rows}, table(rows)
    if arguments.parts == "listening":
        return listening.table(arguments.whisper)
    if arguments.parts == "book":
        return book.table(arguments.words, arguments.books, not arguments.unheard)
    folders = Folders()
    try:
        if arguments.parts == "archive":
            rows = archive.rows(runs, folders, arguments.quick)
            return {"runs": runs, "rows": rows}, table(rows)
        rows = speak(runs, folders) + service.rows(runs, folders, SHORT) + first_of_book(runs, folders) + scan(runs, folders) + cancel(runs, folders)
        rows += words.book(runs)
        rows += downloads.slow(1, 0.25, folders) if arguments.quick else downloads.slow(max(1, runs // 10), 3, folders)
        if arguments.download:
            rows += downloads.fast(max(3, runs // 5), arguments.download, folders)
    finally:
        folders.remove()
    return {"runs": runs, "rows": rows}, table(rows)
