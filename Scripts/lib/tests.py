"""Runs `swift test` with the arguments, and shows again what failed before its closing line."""

import re
import subprocess
import sys

ISSUE = re.compile(r"^✘ .* recorded an issue")
COMMENT = re.compile(r"^↳ ")
CLOSING = re.compile(r"^. Test run with ")


def main():
    tests = subprocess.Popen(["swift", "test", *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    issues = []
    follows = False
    for line in tests.stdout:
        text = line.decode(errors="replace").rstrip("\n")
        follows = bool(ISSUE.match(text)) or (follows and bool(COMMENT.match(text)))
        if follows:
            issues.append(text)
        if CLOSING.match(text) and issues:
            print("What failed:", *issues, sep="\n", flush=True)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    status = tests.wait()
    # As a shell says that a signal ended it.
    sys.exit(status if status >= 0 else 128 - status)


main()
