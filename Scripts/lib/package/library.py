#!/usr/bin/env python3
"""Copies the Swift library as source: the package with only the products for other developers.

Usage: library.py CHECKOUT FOLDER; prints the Debian packages that its build requires, one per line.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

# Packages that the manifest does not name: the headers of libraries that are loaded on demand (ICU, libopusenc), and pkg-config, which
# finds the other libraries.
ALSO = ["libicu-dev", "libopusenc-dev", "pkg-config"]
# Files that are excluded from a target's sources but needed to compile it.
HEADERS = "headers"


def main():
    checkout, folder = (pathlib.Path(word) for word in sys.argv[1:])
    whole = described(checkout)
    folder.mkdir(parents=True)
    manifest = (checkout / "Package.swift").read_text()
    manifest += (pathlib.Path(__file__).parent / "library.swift").read_text()
    (folder / "Package.swift").write_text(manifest)
    packages = set(ALSO)
    for name, target in described(folder).items():
        place = f"Sources/{name}"
        excluded = [checkout / place / path for path in whole[name]["exclude"] if path != HEADERS]
        shutil.copytree(
            checkout / place, folder / place,
            ignore=lambda parent, names: [each for each in names if pathlib.Path(parent, each) in excluded])
        for provider in target.get("providers") or []:
            packages.update(provider.get("apt", [[]])[0])
    print("\n".join(sorted(packages)))


def described(folder):
    """Returns the targets of a package, keyed by name."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SYNTHHOST_")}
    answer = subprocess.run(
        ["swift", "package", "--package-path", folder, "dump-package"], env=environment, stdout=subprocess.PIPE, check=True)
    return {target["name"]: target for target in json.loads(answer.stdout)["targets"]}


if __name__ == "__main__":
    main()
