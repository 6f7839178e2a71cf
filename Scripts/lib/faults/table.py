"""The table that this program shares with the processes under test. Tests/Faults/faults.h defines its layout."""

import errno
import mmap
import struct
from dataclasses import dataclass

SITES, FRAMES = 8192, 5
CALLS = (
    "open create read write send receive map close thread clock rename remove folder sync length lock socket connect accept bind "
    "poll status fork execute").split()
KINDS = {"error": 1, "short": 2, "end": 3, "kill": 4, "jump": 5}
HEADER = struct.Struct("=8IQq16s")
SITE = struct.Struct(f"=Q{FRAMES}Q2I16s64s")
TEXT = lambda raw: raw.split(b"\0")[0].decode(errors="replace")


@dataclass(frozen=True)
class Site:
    """A call site of the C library in a program."""
    key: int
    frames: tuple
    call: str
    count: int
    program: str
    about: str


@dataclass(frozen=True)
class Fault:
    """A fault at a site. `kind` is one of KINDS. A lasting fault also affects all later calls of the same group in the program."""
    site: Site
    kind: str
    error: int = 0
    lasts: bool = False
    hit: int = 0
    jump: int = 0

    def call_fails(self, call, name):
        return self.site.call == call and self.kind == "error" and errno.errorcode[self.error] == name


class Table:
    def __init__(self, path):
        with open(path, "wb") as file:
            file.truncate(HEADER.size + SITES * SITE.size)
        self._file = open(path, "r+b")
        self._bytes = mmap.mmap(self._file.fileno(), 0)

    def arm(self, fault=None):
        """Clears the table, and starts to count calls. If `fault` is given, it will occur at its site."""
        self._bytes[:] = bytes(len(self._bytes))
        header = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b"")
        if fault:
            header = (0, KINDS[fault.kind], fault.error, fault.lasts, fault.hit, 0, CALLS.index(fault.site.call), 0, fault.site.key,
                      fault.jump, b"")
        self._bytes[:HEADER.size] = HEADER.pack(*header)
        self._bytes[:4] = struct.pack("=I", 1)

    def disarm(self):
        self._bytes[:4] = bytes(4)
        self._bytes[28:32] = bytes(4)

    def has_fired(self):
        return HEADER.unpack_from(self._bytes)[5] > 0

    def sites(self):
        found = []
        for place in range(SITES):
            key, *rest = SITE.unpack_from(self._bytes, HEADER.size + place * SITE.size)
            if key:
                call, count, program, about = rest[FRAMES:]
                found.append(Site(key, tuple(rest[:FRAMES]), CALLS[call], count, TEXT(program), TEXT(about)))
        return found
