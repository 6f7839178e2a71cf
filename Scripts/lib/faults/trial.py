"""Runs a scenario with a fault, then without a fault, and compares the resulting files with those of runs without faults."""

import ctypes
import errno
import hashlib
import os
import re
import shutil
import signal
import subprocess
import time

# The time limit in seconds for a command. All timeouts of the programs are shorter, except the timeout for an unresponsive engine
# (120 s).
LIMIT = 60
# The time limit in seconds for processes that outlive their command.
GRACE = 10
# The exit statuses of synthhost; the guide on automation lists them.
STATUSES = {0, 1, 64, 66, 69, 70, 73, 74, 75, 78}
DEVICES = """
pcm.!default { type file slave.pcm { type null } file "HOME/played.raw" format raw }
pcm.ear { type file slave.pcm { type null } file "/dev/null" infile "HOME/talk.raw" format raw }
pcm.mic { type plug slave { pcm ear format S16_LE channels 1 rate 16000 } }
"""
# Paths that may differ between runs: runtime folders, log folders, and audio of interrupted speech, which is kept on purpose.
VARYING = [
    "run/synthhost", "run/synthhost/playing", ".local", ".local/state", ".local/state/synthhost", "Documents/out (stopped).wav",
    "Documents/out (stopped).opus"]
DURATION = re.compile(rb'"(seconds|frames)": ?[0-9.]+')
LOGS = ".local/state/synthhost/logs"
BECOMES_PARENT_OF_ORPHANS = 36


def adopt_orphans():
    """Makes this process the parent of processes that outlive their parents, so that `left_behind` finds them."""
    ctypes.CDLL(None).prctl(BECOMES_PARENT_OF_ORPHANS, 1)


def left_behind():
    """Kills child processes that are still running after the grace period, and returns their command lines."""
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return []
        if not pid:
            time.sleep(0.002)
    found = []
    for pid in children():
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            found.append(file.read().replace(b"\0", b" ").decode(errors="replace"))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return found


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(word) for word in file.read().split()]


class Audio:
    """The size of an audio file, compared with a tolerance. The length of espeak-ng's audio varies by some samples, and its level changes
    if the file with measured levels cannot be read. The size of incomplete audio differs by more."""

    def __init__(self, size):
        self.size = size

    def __eq__(self, other):
        return isinstance(other, Audio) and abs(self.size - other.size) <= 64 + max(self.size, other.size) // 100

    __hash__ = None


def value(path):
    if path.endswith((".wav", ".opus", ".raw")):
        return Audio(os.path.getsize(path))
    with open(path, "rb") as file:
        content = file.read()
    # The records of a book contain durations, which vary with the audio.
    if os.path.basename(os.path.dirname(path)) == ".synthhost-book":
        content = DURATION.sub(b"", content)
    return hashlib.sha256(content).hexdigest()


def tree(folder):
    """Maps the relative paths below a folder to values: a file's `value`, "folder" for a folder, and the target of a link."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(place, name)
            relative = os.path.relpath(path, folder)
            if os.path.islink(path):
                found[relative] = "-> " + os.readlink(path)
            elif os.path.isdir(path):
                found[relative] = "folder"
            elif os.path.isfile(path):
                found[relative] = value(path)
            else:
                found[relative] = "special"
    return found


class Home:
    """The home folder of a user. `keep` saves its content, and `restore` restores the saved content."""

    def __init__(self, folder):
        self.path, self._kept = os.path.join(folder, "home"), os.path.join(folder, "kept")
        for path in (self.path, self._kept):
            shutil.rmtree(path, ignore_errors=True)
        for name in ("run", "tmp", "Documents"):
            os.makedirs(self.file(name), mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.path, "XDG_RUNTIME_DIR": self.file("run"), "TMPDIR": self.file("tmp"),
            "LC_ALL": "C.UTF-8", "SYNTHHOST_PLAIN": "1", "SWIFT_BACKTRACE": "enable=no"}
        # Another file of the user, which no fault may change.
        self.write("Buy milk.\n", "Documents", "notes.txt")
        # Playback writes to a file, and the microphone reads a recording.
        self.environment["ALSA_CONFIG_PATH"] = self.write(DEVICES.replace("HOME", self.path), "asound.conf")

    def file(self, *names):
        return os.path.join(self.path, *names)

    def write(self, text, *names):
        path = self.file(*names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        return path

    def keep(self):
        shutil.rmtree(self._kept, ignore_errors=True)
        shutil.copytree(self.path, self._kept, symlinks=True)

    def restore(self):
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(self._kept, self.path, symlinks=True)


class Outcome:
    """The result of a command: its exit status, output, messages and duration."""

    def __init__(self, status, output, messages, seconds):
        self.status, self.output, self.messages, self.seconds = status, output, messages, seconds


class Run:
    """Runs commands of the programs under test in a home folder."""

    def __init__(self, programs, home):
        self.programs, self.home = programs, home

    def start(self, *words, **options):
        return subprocess.Popen(
            [self.programs.path(), *words], env=self.home.environment, cwd=self.home.path, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **options)

    def run(self, *words, stdin=b""):
        begin = time.monotonic()
        process = self.start(*words)
        try:
            output, messages = process.communicate(stdin, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            output, messages = process.communicate()
            return Outcome("hung", output, messages.decode(errors="replace"), time.monotonic() - begin)
        return Outcome(process.returncode, output, messages.decode(errors="replace"), time.monotonic() - begin)

    def furnish(self, files, commands):
        """Writes files and runs commands. A file's content can also be a function that returns it."""
        for name, text in files.items():
            self.home.write(text() if callable(text) else text, *name.split("/"))
        for words in commands:
            self.must(*words)

    def must(self, *words, stdin=b""):
        done = self.run(*words, stdin=stdin)
        if done.status != 0:
            raise AssertionError(f"{words} exited with {done.status}: {done.messages[-800:]}")
        return done


class Trial:
    """Tries faults in one scenario. `violations` compares each result with two runs without faults."""

    def __init__(self, scenario, programs, folder):
        self.scenario, self.table = scenario, programs.table
        self.home = Home(folder)
        self.run = Run(programs, self.home)
        self.table.disarm()
        scenario.prepare(self.run)
        left_behind()
        self.home.keep()
        self.before = tree(self.home.path)
        self.sites = {}
        self.results, self.after, self.expected = [], [], []
        for _ in range(2):
            self.home.restore()
            scenario.begin(self.run)
            self.table.arm()
            done = scenario.act(self.run)
            self.table.disarm()
            for site in self.table.sites():
                self.sites[site.key] = site
            if done.status != 0:
                raise AssertionError(f"{scenario.name} without a fault: {done.status}: {done.messages[-800:]}")
            self.results.append(scenario.result(self.run, done))
            if problems := scenario.end(self.run):
                raise AssertionError(f"{scenario.name} without a fault: {problems}")
            left_behind()
            self.after.append(tree(self.home.path))
            again = self._act_again()
            if again.status != 0:
                raise AssertionError(f"{scenario.name} again: {again.status}: {again.messages[-800:]}")
            left_behind()
            self.expected += [self.after[-1], tree(self.home.path)]

    def _differences(self, found):
        """Yields the differences between a tree and the trees after runs without faults."""
        for name in sorted(set(found).union(*self.expected)):
            if name in VARYING or any(name == each or name.startswith(each + "/") for each in (LOGS, *self.scenario.varying)):
                continue
            allowed = [each.get(name) for each in self.expected]
            if name not in found:
                # A missing cache file is not a difference, because it is recreated when it is needed.
                if None not in allowed and not name.startswith(".cache/"):
                    yield f"{name} is missing"
            elif allowed.count(None) == len(allowed):
                yield f"{name} was left behind"
            elif all(each == allowed[0] for each in allowed) and found[name] != allowed[0]:
                yield f"{name} differs"

    def violations(self, fault):
        """Returns the violations that a fault caused, and the outcome of the run, or no outcome if the fault did not occur."""
        scenario = self.scenario
        self.home.restore()
        scenario.begin(self.run)
        self.table.arm(fault)
        done = scenario.act(self.run)
        self.table.disarm()
        has_fired = self.table.has_fired()
        found = scenario.end(self.run, fault)
        if not has_fired:
            left_behind()
            return [], None
        # libdispatch ends the process if it cannot create its event descriptor. Swift's own traps print a message.
        is_dispatch = (
            fault.kind == "error" and fault.error in (errno.EMFILE, errno.ENFILE) and done.status in (-signal.SIGILL, -signal.SIGTRAP)
            and "Fatal error" not in done.messages)
        is_killed = fault.kind == "kill" and done.status == -signal.SIGKILL or is_dispatch
        if done.status == "hung":
            found.append(f"not finished within {LIMIT} s")
        elif fault.site.call == "thread" and done.status == -signal.SIGTERM:
            # If the thread that handles signals does not start, a signal has its default effect.
            pass
        elif not is_killed and isinstance(done.status, int) and done.status < 100 and done.status not in STATUSES:
            found.append(f"the exit status is {done.status}")
        # Messages are also sent to a stream, so a fault in `send` can suppress them.
        is_silenced = fault.site.call == "send" and fault.site.program == "synthhost"
        if done.status not in (0, "hung") and not is_killed and not is_silenced and not done.messages.strip():
            found.append("no message was printed")
        # alsa-lib's device that writes to a file, which only this test uses, aborts after a short write.
        if "pcm_file.c" in done.messages:
            found = [each for each in found if not each.startswith("the exit status is")]
        if "Fatal error" in done.messages or "Swift runtime failure" in done.messages:
            found.append("a Swift program trapped")
        found += [f"still running: {line}" for line in left_behind()]
        found += self._after(fault, done, is_killed)
        again = self._act_again()
        if again.status != 0:
            found.append(f"the next run exits with {again.status}: {again.messages.strip()[-300:]}")
        elif scenario.result(self.run, again) not in self.results:
            found.append("the next run has a different result")
        found += [f"still running after the next run: {line}" for line in left_behind()]
        if again.status == 0:
            differences = list(self._differences(tree(self.home.path)))
            if differences and self.scenario.uses:
                for words in self.scenario.uses:
                    self.run.must(*words)
                differences = list(self._differences(tree(self.home.path)))
            found += [f"after the next run, {each}" for each in differences]
        return found, done

    def _act_again(self):
        self.scenario.begin(self.run)
        again = self.scenario.act(self.run)
        self.scenario.end(self.run)
        return again

    def _after(self, fault, done, is_killed):
        found = []
        now = tree(self.home.path)
        # A program ends without an error if no process reads its output any longer, as in a pipe to `head`.
        is_gone = fault.call_fails("send", "EPIPE") and fault.site.program == "synthhost" and (fault.lasts or fault.site.about == "pipe")
        if done.status == 0 and not is_gone and self.scenario.result(self.run, done) not in self.results:
            found.append("the run succeeded with a different result")
        for name, digest in self.before.items():
            if name.startswith("Documents/") and now.get(name) != digest and name not in self.scenario.outputs:
                found.append(f"the user's {name} changed")
        folder = self.scenario.folder
        final = [
            name for each in self.after for name in each
            if folder and name.startswith(folder + "/") and "/." not in name and each[name] != "folder"]
        for name in {*self.scenario.outputs, *final}:
            made = [each.get(name) for each in self.after]
            allowed = [self.before.get(name), None if folder else self.before.get(name), *made]
            if now.get(name) not in allowed and all(each == made[0] for each in made):
                found.append(f"{name} is incomplete")
        return found
