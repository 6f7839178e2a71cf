"""Creates a graph: `derive.py NAME SOURCE TARGET`. Runs in a separate process, because some tools crash."""

import importlib
import sys

from graphs.recipes import RECIPES

if __name__ == "__main__":
    _, NAME, SOURCE, TARGET = sys.argv
    MODULE, FUNCTION = RECIPES[NAME].make.split(".")
    getattr(importlib.import_module(f"graphs.{MODULE}"), FUNCTION)(SOURCE, TARGET)
