"""Runs `swift test` with the arguments, and shows again what failed before its closing line.

With --second-try FILE as the first, up to three tests that failed run once more, with nothing beside them: what fails then is
wrong, and what passes did not bear the load. Both are told. FILE is for the list of results."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ISSUE = re.compile(r"^✘ .* recorded an issue")
COMMENT = re.compile(r"^↳ ")
CLOSING = re.compile(r"^. Test run with ")
AT_MOST = 3


def run(arguments, lines=()):
    """Runs the tests, with lines before their closing one, and returns their exit code, as a shell says it."""
    tests = subprocess.Popen(["swift", "test", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    issues = []
    follows = False
    for line in tests.stdout:
        text = line.decode(errors="replace").rstrip("\n")
        follows = bool(ISSUE.match(text)) or (follows and bool(COMMENT.match(text)))
        if follows:
            issues.append(text)
        if CLOSING.match(text):
            told = ["What failed:", *issues] if issues else []
            print(*told, *lines, sep="\n", end="\n" if told or lines else "", flush=True)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    status = tests.wait()
    return status if status >= 0 else 128 - status


def failed(results):
    """The names of the tests that failed; none if there is no list."""
    try:
        cases = ElementTree.parse(results).getroot().iter("testcase")
    except (OSError, ElementTree.ParseError):
        return []
    return [(case.get("classname"), case.get("name")) for case in cases if case.find("failure") is not None]


def pattern(suite, test):
    """The filter of one test. A suite in a suite has a slash before its name."""
    module, *suites = suite.split(".")
    return "^" + "/".join([re.escape(module) + r"\." + "[./]".join(map(re.escape, suites)), re.escape(test)])


def without_filters(arguments):
    """The arguments that do not choose tests."""
    chooses = [word in ("--filter", "--skip") for word in arguments]
    return [word for word, is_one, is_value in zip(arguments, chooses, [False, *chooses]) if not is_one and not is_value]


def main():
    arguments = sys.argv[1:]
    if arguments[:1] != ["--second-try"]:
        sys.exit(run(arguments))
    file, arguments = arguments[1], arguments[2:]
    # The testing library adds this to the name of its list.
    results = file + "-swift-testing.xml"
    if os.path.exists(results):
        os.remove(results)
    status = run([*arguments, "--xunit-output", file + ".xml"])
    tests = failed(results)
    if status != 1 or not 0 < len(tests) <= AT_MOST:
        sys.exit(status)
    names = ["/".join(test) for test in tests]
    print("Once more, alone:", *names, sep="\n", flush=True)
    filters = [word for test in tests for word in ("--filter", pattern(*test))]
    sys.exit(run([*without_filters(arguments), "--no-parallel", *filters], ["These failed beside all others:", *names]))


main()
