#!/usr/bin/env python3
"""Copies the library for Swift, as source: the package with the products that others may use, and no more.

Usage: library.py CHECKOUT FOLDER; prints the Debian packages that it needs to build, one a line.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

# Not named by the manifest: the headers of libraries that nothing links (ICU, libopusenc), and what finds the others.
ALSO = ["libicu-dev", "libopusenc-dev", "pkg-config"]
# Excluded from a target's sources, and needed to compile it.
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
    """The targets of a package, by their names."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SYNTHHOST_")}
    answer = subprocess.run(
        ["swift", "package", "--package-path", folder, "dump-package"], env=environment, stdout=subprocess.PIPE, check=True)
    return {target["name"]: target for target in json.loads(answer.stdout)["targets"]}


if __name__ == "__main__":
    main()
