#!/usr/bin/env python3
"""Checks the SPDX document of an installed tree: whether it is complete and matches the tree, and whether it includes all libraries.

Usage: check.py TREE; prints the errors, one per line.
"""

import json
import re
import sys

sys.dont_write_bytecode = True

import parts
from tree import DOCUMENT, NOTICE, Tree

NOT_KNOWN = "NOASSERTION"
DOCUMENT_FIELDS = ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo")
PACKAGE_FIELDS = ("SPDXID", "name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText")
FILE_FIELDS = ("SPDXID", "fileName", "checksums", "licenseConcluded", "copyrightText")
RELATIONS = {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK", "OPTIONAL_DEPENDENCY_OF"}
LICENSES = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "GPL-3.0-or-later", "LGPL-2.1-or-later", "MIT", "Unicode-DFS-2016", "curl"}
EXCEPTIONS = {"GCC-exception-3.1", "Swift-exception"}


class Check:
    def __init__(self, tree):
        self.tree = tree
        self.wrong = []
        with open(tree.path(DOCUMENT), encoding="utf-8") as file:
            self.document = json.load(file)
        with open(tree.path(NOTICE), encoding="utf-8") as file:
            self.notice = file.read()
        self.packages = {package.get("SPDXID"): package for package in self.document["packages"]}
        self.files = {file.get("SPDXID"): file for file in self.document["files"]}
        self.relations = [
            (each["spdxElementId"], each["relationshipType"], each["relatedSpdxElement"])
            for each in self.document["relationships"]]

    def expect(self, condition, sentence):
        if not condition:
            self.wrong.append(sentence)

    # ---- Format ----

    def form(self):
        document = self.document
        self.fields(document, DOCUMENT_FIELDS, "the document")
        self.expect(document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0", "The document is not SPDX 2.3.")
        self.expect(re.fullmatch(r"https://[^\s#]+", document["documentNamespace"]), "The namespace is not a URI.")
        created = document["creationInfo"]["created"]
        self.expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", created), f"{created} is not a date and time.")
        makers = document["creationInfo"]["creators"]
        self.expect(all(re.match("(Tool|Person|Organization): ", maker) for maker in makers), "The document names no creator.")
        names = ["SPDXRef-DOCUMENT", *self.packages, *self.files]
        self.expect(len(names) == 1 + len(document["packages"]) + len(document["files"]), "Two elements have the same name.")
        for name in names:
            self.expect(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", str(name)), f"{name} is not a valid element name.")
        for package in document["packages"]:
            self.fields(package, PACKAGE_FIELDS, package.get("name"))
            self.license(package["licenseConcluded"], package["name"])
            analyzed = package.get("filesAnalyzed", True)
            self.expect(analyzed == ("packageVerificationCode" in package), f"{package['name']} has a verification code without analyzed files, or vice versa.")
        for file in document["files"]:
            self.fields(file, FILE_FIELDS, file.get("fileName"))
            self.license(file["licenseConcluded"], file["fileName"])
        for one, kind, other in self.relations:
            self.expect(one in names and other in names and kind in RELATIONS, f"{one} {kind} {other} is not a valid relationship.")

    def fields(self, value, names, whose):
        for name in names:
            self.expect(value.get(name), f"{whose} has no {name}.")

    def license(self, expression, whose):
        words = expression.split()
        self.expect(
            len(words) % 2 == 1 and all(word in LICENSES | EXCEPTIONS for word in words[::2])
            and all(word in ("AND", "WITH") for word in words[1::2])
            and all((word in EXCEPTIONS) == (place > 0 and words[place - 1] == "WITH") for place, word in enumerate(words)
                    if place % 2 == 0),
            f"{whose} has the unknown license {expression}.")

    # ---- Content ----

    def content(self):
        described = {file["fileName"].removeprefix("./"): file for file in self.document["files"]}
        for file in self.tree.files:
            self.expect(file in described, f"{file} is not in the document.")
        for file, value in described.items():
            if file not in self.tree.files:
                self.expect(False, f"{file} is in the document, but does not exist.")
                continue
            digests = tuple(each["checksumValue"] for each in value["checksums"])
            self.expect(digests == self.tree.digests(file), f"{file} has a different digest in the document.")
            owners = [one for one, kind, other in self.relations if kind == "CONTAINS" and other == value["SPDXID"]]
            self.expect(len(owners) == 1, f"{file} belongs to {len(owners)} packages.")
            if "lib/synthhost/lib" in file or self.tree.is_binary(file):
                self.expect(parts.of_file(file), f"No row of the table covers {file}.")
        for package in self.document["packages"]:
            self.expect(package["name"] in self.notice, f"The notice does not name {package['name']}.")
            self.expect(package["versionInfo"] != NOT_KNOWN, f"The version of {package['name']} is unknown.")

    def libraries(self):
        inside = {file.rpartition("/")[2] for file in self.tree.files}
        names = {file["fileName"].removeprefix("./"): name for name, file in self.files.items()}
        for file, libraries in self.tree.linked().items():
            for library in libraries:
                if library in inside:
                    continue
                part = parts.of_library(library)
                relation = (names.get(file), "DYNAMIC_LINK", part.identifier if part else None)
                self.expect(relation in self.relations, f"{file} links {library}, which is not in the document.")
        for library in self.tree.opened():
            part = parts.of_library(library)
            is_told = part and part.is_opened and part.identifier in self.packages
            self.expect(is_told, f"{library} is opened at run time, but is not in the document.")
        for part in parts.PARTS:
            if part.is_opened:
                self.expect(part.identifier in self.packages, f"{part.name} is not in the document.")

    def license_texts(self):
        for part in (parts.OWN, *parts.PARTS):
            if part.words and any(part.has_file(file) for file in self.tree.files if self.tree.is_binary(file)):
                self.expect(part.words in self.tree.files, f"{part.words} does not contain the license of {part.name}.")


def main():
    check = Check(Tree(sys.argv[1]))
    check.form()
    check.content()
    check.libraries()
    check.license_texts()
    print("\n".join(check.wrong) or f"{len(check.packages)} packages and {len(check.files)} files are correct")
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()
