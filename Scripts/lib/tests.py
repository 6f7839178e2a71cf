"""Runs `swift test` with the arguments, and repeats the failures before its last line.

With --built FILE as the first arguments, runs the tests in that program, without waiting for other builds in its folder or delaying
them. With --second-try FILE next, up to three failed tests are run again alone. A test that fails again is broken; a test that then
passes failed only because of the load. Both are reported. The FILE of --second-try receives the list of results."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ISSUE = re.compile(r"^✘ .* recorded an issue")
COMMENT = re.compile(r"^↳ ")
CLOSING = re.compile(r"^. Test run with ")
AT_MOST = 3


def run(command, lines=()):
    """Runs the tests, inserts lines before the closing line, and returns the exit status in the same way as a shell."""
    # Set NO_COLOR, because a test program writes colors even to a file.
    environment = {**os.environ, "NO_COLOR": "1"}
    tests = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    issues = []
    follows = False
    for line in tests.stdout:
        text = line.decode(errors="replace").rstrip("\n")
        follows = bool(ISSUE.match(text)) or (follows and bool(COMMENT.match(text)))
        if follows:
            issues.append(text)
        if CLOSING.match(text):
            told = ["Failures:", *issues] if issues else []
            print(*told, *lines, sep="\n", end="\n" if told or lines else "", flush=True)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    status = tests.wait()
    return status if status >= 0 else 128 - status


def failed(results):
    """Returns the names of the failed tests, or none if there is no list."""
    try:
        cases = ElementTree.parse(results).getroot().iter("testcase")
    except (OSError, ElementTree.ParseError):
        return []
    return [(case.get("classname"), case.get("name")) for case in cases if case.find("failure") is not None]


def pattern(suite, test):
    """Returns the filter for a test. The name of a nested suite is preceded by a slash."""
    module, *suites = suite.split(".")
    return "^" + "/".join([re.escape(module) + r"\." + "[./]".join(map(re.escape, suites)), re.escape(test)])


def without_filters(arguments):
    """Returns the arguments without those that select tests."""
    chooses = [word in ("--filter", "--skip") for word in arguments]
    return [word for word, is_one, is_value in zip(arguments, chooses, [False, *chooses]) if not is_one and not is_value]


def main():
    program, arguments = ["swift", "test"], sys.argv[1:]
    if arguments[:1] == ["--built"]:
        program, arguments = [arguments[1], "--testing-library", "swift-testing"], arguments[2:]
    if arguments[:1] != ["--second-try"]:
        sys.exit(run([*program, *arguments]))
    results, arguments = arguments[1], arguments[2:]
    if os.path.exists(results):
        os.remove(results)
    status = run([*program, *arguments, "--xunit-output", results])
    tests = failed(results)
    if status != 1 or not 0 < len(tests) <= AT_MOST:
        sys.exit(status)
    names = ["/".join(test) for test in tests]
    print("Repeated alone:", *names, sep="\n", flush=True)
    filters = [word for test in tests for word in ("--filter", pattern(*test))]
    sys.exit(run([*program, *without_filters(arguments), "--no-parallel", *filters],
                 ["These tests failed when they ran with the others:", *names]))


main()
