#!/usr/bin/env python3
"""Creates a program from each example in the library's articles, for a package that depends on the library.

Usage: examples.py ARTICLES PACKAGE SYNTHHOST; prints the name of each program.
"""

import pathlib
import re
import sys

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "examples",
    dependencies: [.package(name: "synthhost", path: "{path}")],
    targets: [
{targets}
    ])
"""
TARGET = '        .executableTarget(name: "{name}", dependencies: [.product(name: "SynthHost", package: "synthhost")]),'


def main():
    articles, package, library = (pathlib.Path(word) for word in sys.argv[1:])
    names = []
    for article in sorted(articles.glob("*.md")):
        for number, code in enumerate(re.findall(r"^```swift\n(.*?)^```", article.read_text(), re.M | re.S), 1):
            name = f"{article.stem}{number}"
            folder = package / "Sources" / name
            folder.mkdir(parents=True)
            # The test must not download a voice from the shipped registry, so another voice replaces it.
            (folder / "main.swift").write_text(code.replace('"Heart"', '"Tern"'))
            names.append(name)
    targets = "\n".join(TARGET.format(name=name) for name in names)
    (package / "Package.swift").write_text(MANIFEST.format(path=str(library), targets=targets))
    print("\n".join(names))


if __name__ == "__main__":
    main()
