#!/usr/bin/env python3
"""Compares the size of an archive with the README, whose numbers must be accurate to within 3 %.

Usage: sizes.py README.md ARCHIVE TREE    an archive as it is published
       sizes.py --quick BYTES TREE        a tree that was built for tests, which is larger: compared with BYTES

MB are 1 000 000 bytes; the size of a tree is the sum of its files. The exit status is 1 if the README needs new
numbers, which are printed.
"""
import os
import re
import sys

TOLERANCE = 0.03
CLAIM = re.compile(r"The archive is (\d+) MB\s+\((\d+) MB unpacked\)")


def size(tree):
    return sum(
        os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(tree) for name in names)


def is_close(claimed, measured):
    return abs(claimed - measured) <= TOLERANCE * measured


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 64
    if arguments[0] == "--quick":
        claimed, measured = int(arguments[1]), size(arguments[2])
        if is_close(claimed, measured):
            return 0
        print(
            f"The tree has {measured} bytes, and Scripts/release/test-install expects {claimed}. Run Scripts/package tar, correct the "
            f"sizes in the README if it says so, and write {measured} into Scripts/release/test-install.")
        return 1
    readme, archive, tree = arguments
    packed, unpacked = os.path.getsize(archive) / 1e6, size(tree) / 1e6
    with open(readme, encoding="utf-8") as file:
        claim = CLAIM.search(file.read())
    if claim and is_close(int(claim[1]), packed) and is_close(int(claim[2]), unpacked):
        return 0
    print(f"README.md must say: The archive is {packed:.0f} MB ({unpacked:.0f} MB unpacked)")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
