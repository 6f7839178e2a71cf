"""Counts passed checks and prints failed ones."""

import traceback


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def ok(self, sentence, check):
        """Runs a check, which fails if it raises an error or returns anything but None or True."""
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
    """Raises an error with both values if they differ."""
    if found != wanted:
        raise AssertionError(f"{found!r} is not {wanted!r}")
