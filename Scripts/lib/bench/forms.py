"""The forms of a model that synthhost can use: rewritten for speed, with integer weights, and as published."""

import os
import re
import subprocess
import sys

from bench.measuring import ORIGINAL, PROGRAM

REWRITTEN, FAST, PUBLISHED = FORMS = ["rewritten", "fast", "as published"]


def environments(given, folder, voice):
    """Returns synthhost's environment for each form of the model, and the form that the engine reports.

    Each form has its own cache, because a cache has only one entry per model."""
    published = {**given, ORIGINAL: "1", "XDG_CACHE_HOME": os.path.join(folder, "cache-as-published")}
    rewritten = {**given, "XDG_CACHE_HOME": os.path.join(folder, "cache-rewritten")}
    found = {PUBLISHED: published}
    if given.get(ORIGINAL) != "1":
        _told(voice, rewritten)
        told = _told(voice, rewritten)
        if told.startswith(REWRITTEN):
            found = {REWRITTEN: rewritten, **found}
            fast = {**given, "SYNTHHOST_PRECISION": "fast", "XDG_CACHE_HOME": os.path.join(folder, "cache-fast")}
            _told(voice, fast)
            # Not every processor supports this form.
            if "int8" in _told(voice, fast):
                found[FAST] = fast
        else:
            # The engine does not rewrite this model, so there is only the published form.
            return {PUBLISHED: rewritten}, {PUBLISHED: told}
    # This run creates the cache entry, so that later runs report its use.
    _told(voice, published)
    return found, {name: _told(voice, environment) for name, environment in found.items()}


def _told(voice, environment):
    """Speaks, and returns the form of the model that the engine reports."""
    command = [PROGRAM, "speak", "--verbose", *voice, "--raw", "-o", os.devnull, "One."]
    said = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    if said.returncode != 0:
        sys.exit(f"synthhost could not speak: {said.stderr.decode()[-500:]}")
    forms = re.findall(r"^(?:\S+: )?((?:rewritten|as published).*)$", said.stderr.decode(), re.MULTILINE)
    return forms[0] if forms else "synthhost reports no form of the model"
