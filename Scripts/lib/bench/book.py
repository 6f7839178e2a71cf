"""Creates an audiobook in Opus files with published voices, and has other programs speak the same chapters and ffmpeg encode them.
Compares duration, memory, and the words that a recognizer does not find."""

import difflib
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from bench import novel, peers, process
from bench.measuring import PROGRAM, ROOT
from listener import hearing, packages, voices
from listener.host import Host

FOLDER = os.path.join(ROOT, ".build", "bench-book")
WORDS = 20_000
# The approximate factor by which Kokoro is slower than Piper.
KOKORO_SHARE = 10
OURS, PIPER, KOKORO, KOKORO_ONNX = "synthhost, Joe", "piper-tts, Joe", "synthhost, Kokoro", "kokoro-onnx"
HEART, HIBARI = "synthhost, Heart", "hibari-tts, Heart"
# Keyed by command-line name: our label, the other program's label, our voice, and the divisor of the text's length.
VOICES = {
    "joe": (OURS, PIPER, "Joe", 1), "heart": (HEART, HIBARI, "Heart Small", 1),
    "kokoro": (KOKORO, KOKORO_ONNX, "Alpha", KOKORO_SHARE)}
# The interval between memory readings in seconds.
LOOK = 0.05


def rows(words, asked, is_heard):
    """Runs the programs one at a time, and then the recognizer, so that a measured program runs alone."""
    peers.prepare()
    shutil.rmtree(os.path.join(FOLDER, "made"), ignore_errors=True)
    texts = {share: novel.chapters(words // share) for share in (1, KOKORO_SHARE)}
    files = {voice: _files_of(voice) for voice in asked}
    found, spoken, tasks = {}, {}, None
    with Host() as host:
        for kind in asked:
            name, _, voice, share = VOICES[kind]
            if kind == "kokoro":
                host.add_kokoro(os.path.join(FOLDER, "kokoro"), voices.STYLE)
            else:
                host.run("models", "pull", voice)
            # The first utterance creates the cached form of the model.
            host.run("speak", "-q", "-v", voice, "Ready.", "-o", host.home.file("ready.wav"))
            spoken[name] = texts[share]
            found[name] = _ours(host, name, voice, texts[share])
            if kind == "joe":
                tasks = _tasks(host, voice, texts[share])
    for kind in asked:
        _, name, _, share = VOICES[kind]
        spoken[name] = texts[share]
        found[name] = _theirs(name, texts[share], *files[kind])
    if is_heard:
        packages.prepare()
        # Run two at a time, because each uses one processor.
        with ThreadPoolExecutor(2) as pool:
            for name, heard in zip(found, pool.map(_heard, found, spoken.values())):
                found[name].update(heard)
    return found, tasks


def _files_of(kind):
    """Fetches a voice. Returns the name of the peer in `theirs.py`, and the files that it reads."""
    if kind == "joe":
        voices.joe()
        return "piper", voices.JOE_FILE
    if kind == "heart":
        voices.small()
        return "hibari", voices.SMALL_FILE
    voices.kokoro()
    folder = os.path.join(FOLDER, "kokoro")
    archive = os.path.join(folder, "voices.npz")
    content = voices.lay(folder)
    with open(archive, "wb") as file:
        file.write(content)
    return "kokoro_onnx", voices.KOKORO_FILE, archive, voices.AMERICAN


def table(words, asked, is_heard):
    found, tasks = rows(words, asked, is_heard)
    names = [name for kind in asked for name in VOICES[kind][:2]]
    lines = [f"{'':50}" + "".join(f"{name:>19}" for name in names)]
    for what, key, digits in (
            ("words", "words", 0), ("audio (min)", "minutes", 1), ("complete book in Opus (s)", "seconds", 1),
            ("  real-time factor", "factor", 4), ("  processor time (s)", "cpu", 1),
            ("  peak memory of all processes (MB)", "peak", 0), ("word error rate (%)", "errors", 1),
            ("longest missed passage (words)", "gap", 0)):
        if key in found[names[0]]:
            lines.append(f"{what:50}" + "".join(f"{found[name][key]:>19.{digits}f}" for name in names))
    if tasks:
        lines.append(f"{'two concurrent tasks, including joining (s)':50}{tasks:>19.1f}")
    gaps = [f"{name}: {found[name]['passage']}" for name in names if found[name].get("passage")]
    return found, "\n".join([*lines, *gaps])


def _text(chapters):
    return "".join(f"{title}\n\n" + "\n\n".join(paragraphs) + "\n\n" for title, paragraphs in chapters)


def _place(name):
    folder = os.path.join(FOLDER, "made", name.replace(", ", "-"))
    os.makedirs(folder, exist_ok=True)
    return folder


def _book(host, chapters):
    path = host.home.file("book.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(_text(chapters))
    return path


def _ours(host, name, voice, chapters):
    folder = _place(name)
    made = _run([PROGRAM, "book", _book(host, chapters), "-o", folder, "-q", "-v", voice, "--format", "opus"], host.home.environment)
    return _described(made, chapters, folder)


def _tasks(host, voice, chapters):
    """Returns the seconds for two concurrent tasks of a job array, including the join."""
    folder = _place("tasks")
    command = [PROGRAM, "book", _book(host, chapters), "-o", folder, "-q", "-v", voice, "--format", "opus"]
    start = time.perf_counter()
    tasks = [subprocess.Popen([*command, "--shard", f"{number}/2"], env=host.home.environment) for number in (1, 2)]
    if any(task.wait() for task in tasks):
        sys.exit("A task failed.")
    subprocess.run([*command, "--join"], env=host.home.environment, check=True)
    return time.perf_counter() - start


def _theirs(name, chapters, kind, *files):
    folder = _place(name)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "book_peer.py")
    asked = [
        [_text([chapter]), os.path.join(folder, f"{number:02}.opus")] for number, chapter in enumerate(chapters, 1)]
    made = _run([peers.PYTHON, script, kind, *files], os.environ, json.dumps(asked).encode())
    return _described(made, chapters, folder)


def _run(command, environment, stdin=b""):
    """Returns seconds, processor seconds, and the peak memory of all processes together."""
    start, peak, used = time.perf_counter(), 0, 0.0
    child = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    child.stdin.write(stdin)
    child.stdin.close()
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        peak = max(peak, process.resident(child.pid))
        # Includes engines that are still running at the end, for which the program does not wait.
        used = max(used, process.processor(child.pid))
        time.sleep(LOOK)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)[:300]} failed.")
    cpu = max(used, usage.ru_utime + usage.ru_stime)
    return {"seconds": time.perf_counter() - start, "cpu": cpu, "peak": peak / 1e6}


def _described(made, chapters, folder):
    files = _files(folder)
    if len(files) != len(chapters):
        sys.exit(f"{folder} has {len(files)} chapters instead of {len(chapters)}.")
    probe = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"]
    seconds = sum(float(subprocess.run([*probe, file], capture_output=True, check=True).stdout) for file in files)
    return {**made, "words": len(_text(chapters).split()), "minutes": seconds / 60, "factor": made["seconds"] / seconds}


def _files(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".opus"))


def _heard(name, chapters):
    """Returns the recognizer's error rate, and the longest run of words that it misses completely."""
    texts = hearing.heard(hearing.TINY, _files(_place(name)))
    plain = hearing.ask("normal", [_text([chapter]) for chapter in chapters] + texts)
    wrong, count, gap, passage = 0, 0, 0, []
    for asked, heard in zip(plain, plain[len(chapters):]):
        asked, heard = asked.split(), heard.split()
        count += len(asked)
        for kind, first, last, begin, end in difflib.SequenceMatcher(None, asked, heard, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            wrong += max(last - first, end - begin)
            if last - first - (end - begin) > gap:
                gap, passage = last - first - (end - begin), asked[first:last]
    return {"errors": 100 * wrong / count, "gap": gap, "passage": " ".join(passage)}
