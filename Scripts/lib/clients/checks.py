"""Counts the checks that pass, and shows those that fail."""

import traceback


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def ok(self, sentence, check):
        """Runs a check. It fails if it raises, or returns anything but None and True."""
        try:
            result = check()
            why = "" if result in (None, True) else f"it gave {result!r}"
        except Exception:
            why = traceback.format_exc()
        if not why:
            self.passed += 1
            print(f"ok      {sentence}", flush=True)
            return
        self.failed += 1
        print(f"FAILED  {sentence}", flush=True)
        for line in why.rstrip().splitlines()[-12:]:
            print(f"        {line}", flush=True)


def equal(found, wanted):
    """Returns nothing, or raises an error that shows both values."""
    if found != wanted:
        raise AssertionError(f"{found!r} is not {wanted!r}")
