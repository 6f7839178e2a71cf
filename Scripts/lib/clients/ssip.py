"""A client for speech-dispatcher's server that uses its protocol (SSIP)."""

import socket

from clients.programs import LIMIT


class Client:
    """A connection. It stores each event that arrives as a pair: its code, and its lines except the last one."""

    def __init__(self, path, name, module="synthhost"):
        self.events = []
        # The number of events that `wait` has processed.
        self._seen = 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(LIMIT)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rb")
        self.ask(f"SET self CLIENT_NAME test:{name}:main")
        self.ask(f"SET self OUTPUT_MODULE {module}")
        self.ask("SET self NOTIFICATION ALL on")

    def close(self):
        self._lines.close()
        self._socket.close()

    def send(self, line):
        self._socket.sendall(line.encode() + b"\r\n")

    def _message(self):
        lines = []
        while True:
            line = self._lines.readline()
            if not line:
                raise AssertionError("the server has closed the connection")
            line = line.decode().rstrip("\r\n")
            lines.append(line)
            if line[3:4] == " ":
                return lines

    def _take(self):
        """Reads the next message. Returns a reply; stores an event and returns None."""
        lines = self._message()
        if lines[-1].startswith("7"):
            self.events.append((lines[-1][:3], [line[4:] for line in lines[:-1]]))
            return None
        return lines

    def ask(self, line):
        self.send(line)
        while (lines := self._take()) is None:
            pass
        if not lines[-1].startswith("2"):
            raise AssertionError(f"{line}: {lines[-1]}")
        return lines

    def speak(self, text):
        """Speaks a text. Returns the number of the message."""
        self.ask("SPEAK")
        return self.ask(text + "\r\n.")[0][4:]

    def wait(self, *codes):
        """Waits for the next of these events, and returns its code. The event may have arrived before the reply to an earlier command."""
        while True:
            while self._seen < len(self.events):
                code, self._seen = self.events[self._seen][0], self._seen + 1
                if code in codes:
                    return code
            self._take()

    def codes(self):
        return [code for code, _ in self.events]

    def marks(self):
        return [lines[-1] for code, lines in self.events if code == "700"]
