"""Tests speech-dispatcher with `sd_synthhost` as its only module, through `spd-say` and through its protocol."""

import os
import re
import signal
import subprocess

from clients.checks import equal
from clients.programs import BUILT, LIMIT, Home, descendants, is_alive, listens, wait_until
from clients.ssip import Client

MODULE = os.path.join(BUILT, "sd_synthhost")


class SoundServer:
    """PulseAudio with a null device that plays in real time."""

    def __init__(self, home):
        self.address = "unix:" + home.file("pulse.sock")
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm", "--use-pid-file=no",
             "-L", "module-null-sink",
             "-L", f"module-native-protocol-unix socket={home.file('pulse.sock')} auth-anonymous=1"],
            env=home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        socket = home.file("pulse.sock")
        wait_until(lambda: listens(socket) or self.process.poll() is not None, "PulseAudio starts")

    def stop(self):
        self.process.terminate()
        self.process.wait(LIMIT)


class Server:
    """speech-dispatcher on its own socket, with audio output that plays either in real time or without delay."""

    def __init__(self, paced, is_named=True):
        """If `is_named` is false, the configuration does not name the module; the server finds it in the user's modules folder."""
        self.home = Home()
        self.sound = SoundServer(self.home) if paced else None
        self.socket = self.home.file("speechd.sock")
        self.log = self.home.file("log", "speech-dispatcher.log")
        self.home.write("", "log", "empty")
        output = (
            'AudioOutputMethod "pulse"\nAudioPulseDevice "default"\nLogLevel 3\n' if paced else
            'AudioOutputMethod "alsa"\nAudioALSADevice "null"\nLogLevel 5\n')
        if is_named:
            output += f'AddModule "synthhost" "{MODULE}" "synthhost.conf"\nDefaultModule synthhost\n'
        else:
            os.makedirs(self.home.file(".local", "share"))
            os.makedirs(self.home.file(".local", "libexec", "speech-dispatcher-modules"))
            os.symlink(MODULE, self.home.file(".local", "libexec", "speech-dispatcher-modules", "sd_synthhost"))
        self.home.write(output, "conf", "speechd.conf")
        self.home.write("FirstWords wait\n", "conf", "modules", "synthhost.conf")
        self.environment = dict(self.home.environment, SPEECHD_ADDRESS=f"unix_socket:{self.socket}")
        if self.sound:
            self.environment["PULSE_SERVER"] = self.sound.address
        self.process = subprocess.Popen(
            ["speech-dispatcher", "-s", "-C", self.home.file("conf"), "-S", self.socket, "-P", self.home.file("pid"),
             "-L", self.home.file("log"), "-t", "0"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: listens(self.socket) or self.process.poll() is not None, "speech-dispatcher starts")

    def start_say(self, *arguments):
        return subprocess.Popen(
            ["spd-say", *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)

    def say(self, *arguments):
        """Returns the output of spd-say, which must succeed in time."""
        process = self.start_say(*arguments)
        try:
            output, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        equal(process.returncode, 0)
        return output

    def bytes_of_sound(self):
        """Returns the number of audio bytes that the server has received, from its log."""
        with open(self.log, errors="replace") as file:
            return sum(int(count) for count in re.findall(r"Got audio: eventually (\d+) bytes", file.read()))

    def heard(self, *arguments):
        """Returns the number of audio bytes for a message from spd-say."""
        before = self.bytes_of_sound()
        self.say("-w", *arguments)
        return self.bytes_of_sound() - before

    def client(self, name):
        return Client(self.socket, name)

    def programs(self, name):
        return [pid for pid, program in descendants(self.process.pid).items() if program == name[:15]]

    def stop(self):
        """Stops the server. All of its child processes must also exit."""
        processes = descendants(self.process.pid)
        self.process.terminate()
        self.process.wait(LIMIT)
        if self.sound:
            self.sound.stop()
        wait_until(lambda: not any(is_alive(pid) for pid in processes), "the module and its engines exit")
        self.home.remove()
        return len(processes) > 0


def run(checks):
    server = Server(paced=False, is_named=False)
    try:
        checks.ok("speech-dispatcher finds the module in the user's module folder", lambda: equal(
            ("synthhost" in server.say("-O").split(), server.heard("-o", "synthhost", "Hello there.") > 10_000),
            (True, True)))
    finally:
        checks.ok("speech-dispatcher then exits and leaves no processes", server.stop)
    server = Server(paced=False)
    try:
        _say(checks, server)
    finally:
        checks.ok("speech-dispatcher exits and leaves no processes", server.stop)
    server = Server(paced=True)
    try:
        _conversation(checks, server)
    finally:
        checks.ok("speech-dispatcher also exits and leaves no processes after an engine was killed", server.stop)


def _say(checks, server):
    ok = checks.ok
    ok("spd-say lists the module", lambda: equal("synthhost" in server.say("-O").split(), True))
    ok("spd-say lists its voices", lambda: equal(
        ["English_(America)", "en-US", "male1"] in map(str.split, server.say("-L").splitlines()), True))

    def sounds(*arguments):
        return lambda: server.heard(*arguments) > 10_000

    ok("spd-say speaks and waits", sounds("Hello, this is a test."))
    ok("spd-say speaks SSML", sounds("-x", '<speak>Hello <mark name="m"/>there, <emphasis>friend</emphasis>.</speak>'))
    ok("spd-say speaks malformed SSML", sounds("-x", "<speak>Hello <b>there & everywhere"))
    ok("spd-say reports marks", lambda: equal("m" in server.say("-w", "-x", '<speak>Hi <mark name="m"/>you</speak>'), True))
    ok("spd-say spells words", sounds("-s", "Hello"))
    ok("spd-say speaks lines that start with dots", sounds(".\n..\n.hidden\nHello"))
    ok("spd-say speaks another language", sounds("-l", "de", "Guten Tag, wie geht es?"))
    ok("spd-say speaks with a voice that is selected by name", sounds("-y", "German", "Guten Tag, wie geht es?"))
    ok("spd-say speaks with a voice that is selected by type", sounds("-t", "female1", "Hello there, everybody."))

    def rates():
        slow, quick = (server.heard("-r", rate, "Hello there, everybody.") for rate in ("-100", "100"))
        return slow > 3 * quick
    ok("the highest rate is much faster than the lowest", rates)

    def punctuation():
        return server.heard("-m", "all", "a, b; c!") > 1.5 * server.heard("-m", "none", "a, b; c!")
    ok("text takes longer to speak with all punctuation than without it", punctuation)


def _conversation(checks, server):
    ok = checks.ok
    # An hour of speech.
    long_text = " ".join(f"This is the sentence with the number {number}." for number in range(1500))

    def stop():
        waiting = server.client("stopped")
        waiting.speak(long_text)
        waiting.wait("701")
        waiting.ask("STOP self")
        waiting.wait("703")
        waiting.close()
    ok("a stop command in the middle of a message ends it immediately", stop)

    def cancel():
        process = server.start_say("-w", "-x", '<speak><mark name="begun"/>' + long_text + "</speak>")
        equal(process.stdout.readline().strip() != "", True)
        server.say("-C")
        process.communicate(timeout=LIMIT)
    ok("spd-say -C cancels the message of another spd-say process", cancel)

    def paused(text, place):
        """Returns the marks that were reported before and after a pause, which starts when a mark is reached."""
        # Retry, because on a busy machine the text may end before it is paused.
        return next(filter(None, (try_to_pause(text, place) for _ in range(10))))

    def try_to_pause(text, place):
        client = server.client("paused")
        client.ask("SET self SSML_MODE on")
        client.ask("SET self RATE 80")
        client.speak(f"<speak>{text}</speak>")
        while len(client.marks()) <= place:
            client.wait("700")
        client.ask("PAUSE self")
        if client.wait("704", "702") == "702":
            client.close()
            return None
        heard = len(client.marks())
        client.ask("RESUME self")
        client.wait("702")
        equal([code for code in client.codes() if code != "700"], ["701", "704", "705", "702"])
        client.close()
        numbers = [int(mark[1:]) for mark in client.marks()]
        return numbers[:heard], numbers[heard:]

    def pause():
        count = 12
        before, after = paused(" ".join(f'<mark name="m{n}"/>Sentence number {n}.' for n in range(count)), 3)
        # No mark may be missing. Marks of the paused sentence and of the next sentence may be repeated.
        equal(before, list(range(len(before))))
        equal(after, list(range(after[0], count)))
        equal(0 <= len(before) - after[0] <= 2, True)
    ok("after a pause, speech resumes at its position without losing a mark", pause)
    # The text is long enough that its synthesis does not finish before the pause.
    words = "and on and so on " * 25
    ok("a pause in the last sentence loses no mark", lambda: equal(
        paused(f'<mark name="m0"/>One. Two <mark name="m1"/>{words}.', 1)[0], [0, 1]))
    ok("a pause in a text of one sentence loses no mark", lambda: equal(paused(f'<mark name="m0"/>{words}.', 0)[0], [0]))

    def two():
        first, second = server.client("first"), server.client("second")
        first.ask("SET self PRIORITY message")
        second.ask("SET self PRIORITY message")
        for _ in range(3):
            first.speak("One of the first client.")
            second.speak("One of the second client.")
        for client in (first, second):
            while client.codes().count("702") < 3:
                client.wait("702")
            equal(client.codes(), ["701", "702"] * 3)
            client.close()
    ok("the messages of two simultaneous clients are spoken completely", two)

    def names():
        client = server.client("names")
        for request in ("CHAR a", "CHAR space", "KEY shift_a", "KEY control_Home", "SOUND_ICON new-mail"):
            client.ask(request)
            client.wait("702")
        equal(client.codes(), ["701", "702"] * 5)
        client.close()
    ok("characters, keys and sounds are spoken", names)

    def killed():
        client = server.client("killed")
        client.speak(long_text)
        client.wait("701")
        workers = server.programs("synthhost-worker")
        equal(len(workers) > 0, True)
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        # Audio that has already been synthesized is still played.
        client.wait("702", "703")
        client.speak("Still here.")
        client.wait("702")
        client.close()
    ok("a killed engine ends its message, and the next message is spoken", killed)
