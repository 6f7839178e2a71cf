#!/usr/bin/env python3
"""Makes programs and engines identical, regardless of the folder in which they were built. The compiler and the linker store digests of
their inputs, which contain paths. The compiler's digests, which nothing reads, are set to zero, and the linker's digest
(the build ID) is set to the digest of the resulting file.

Usage: digests.py FILE...   stripped files, for a 64-bit little-endian machine
"""

import hashlib
import struct
import sys

OF_COMPILER, OF_LINKER = b".swift_modhash", b".note.gnu.build-id"
# The note header before the digest: three lengths and "GNU".
HEAD = 16


def sections(content):
    """Yields the name, offset and size of each section."""
    (table,) = struct.unpack_from("<Q", content, 0x28)
    size, count, of_names = struct.unpack_from("<HHH", content, 0x3A)
    rows = [struct.unpack_from("<IIQQQQ", content, table + row * size) for row in range(count)]
    names = rows[of_names][4]
    for name, _, _, _, place, length in rows:
        start = names + name
        yield bytes(content[start:content.index(0, start)]), place, length


def clean(content):
    """Returns the changed contents of a file."""
    build_id = None
    for name, place, length in sections(content):
        if name == OF_COMPILER:
            content[place:place + length] = bytes(length)
        elif name == OF_LINKER:
            build_id = slice(place + HEAD, place + length)
    if build_id:
        length = build_id.stop - build_id.start
        content[build_id] = bytes(length)
        content[build_id] = hashlib.sha256(content).digest()[:length]


def main():
    for path in sys.argv[1:]:
        with open(path, "r+b") as file:
            content = bytearray(file.read())
            if content[:6] != b"\x7fELF\x02\x01":
                sys.exit(f"{path} is not a file for this architecture.")
            clean(content)
            file.seek(0)
            file.write(content)


if __name__ == "__main__":
    main()
