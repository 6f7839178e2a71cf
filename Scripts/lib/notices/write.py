#!/usr/bin/env python3
"""Writes two lists of an installed tree's components and dependencies into the tree, with versions and licenses: a notice for people, and
an SPDX document. The same tree, commit and distribution always produce the same bytes.

Usage: write.py TREE CHECKOUT
"""

import datetime
import hashlib
import json
import os
import platform
import sys
import textwrap

sys.dont_write_bytecode = True

import parts
from tree import DOCUMENT, LEFT_OUT, NOTICE, Distribution, Tree, said, version

NOT_KNOWN = "NOASSERTION"
# The installation inserts the path of the program into this file.
COMPLETED = "share/systemd/user/synthhost.service"
RELATIONS = {parts.LINKED: "DYNAMIC_LINK", parts.OPENED: "OPTIONAL_DEPENDENCY_OF"}


class Found:
    """A component in this tree or distribution."""

    def __init__(self, part, use, version, files=(), users=(), package=None, libraries=()):
        self.part, self.use, self.version = part, use, version or NOT_KNOWN
        # The component's files in the tree, the files that link it, the distribution's package, and the library names.
        self.files, self.users, self.package, self.libraries = sorted(files), sorted(users), package, sorted(libraries)


def find(tree, distribution):
    """Returns all components that are present, starting with those in the tree. Prints libraries that have no row in the table."""
    inside, outside, strange = {}, {}, []
    for file in tree.files:
        part = parts.of_file(file)
        if part is None:
            strange.append(file)
        inside.setdefault(part or unnamed(os.path.basename(file)), []).append(file)
    for name, users in tree.needed().items():
        part = parts.of_library(name)
        if part is None:
            strange.append(name)
        outside.setdefault((part or unnamed(name), parts.LINKED), []).append((name, users))
    for name in tree.opened() + [distribution.icu()]:
        part = parts.of_library(name)
        if part is None:
            strange.append(name)
        outside.setdefault((part or unnamed(name), parts.OPENED), []).append((name, []))
    for name in strange:
        print(f"No row of {parts.__file__} covers {name}. Add one.", file=sys.stderr)
    packages = distribution.packages([name for libraries in outside.values() for name, _ in libraries])
    rows = [parts.OWN, *parts.PARTS]

    def order(part):
        return (rows.index(part) if part in rows else len(rows), part.name)

    found = [Found(part, parts.INSIDE, version(part, tree), files) for part, files in inside.items()]
    for (part, use), libraries in outside.items():
        names = sorted(name for name, _ in libraries)
        package = next((packages[name] for name in names if name in packages), None)
        users = {user for _, some in libraries for user in some}
        found.append(Found(part, use, package[1] if package else "", users=users, package=package, libraries=names))
    return sorted(found, key=lambda each: ([parts.INSIDE, parts.LINKED, parts.OPENED].index(each.use), order(each.part)))


def unnamed(name):
    return parts.Part(name, NOT_KNOWN, "", "not described", "")


# ---- Human-readable notice ----


def notice(found, name):
    """Returns the text of the notice."""
    lines = [
        f"# Components and dependencies of {name}", "",
        *wrap(
            "Each component has its own license. synthhost.spdx.json, in the same folder, contains the same information as an SPDX "
            "document, with digests of all files. Voices are not included: `synthhost voices VOICE` shows the license of a voice. "
            "Paths are relative to the installation; Debian's packages contain the licenses in their files named copyright."),
        "",
        "## Included components", "",
    ]
    for each in found:
        if each.use == parts.INSIDE:
            lines += described(each) + [f"  License text: {each.part.words}"] * bool(each.part.words)
    lines += ["", "## Linked libraries of the distribution", ""]
    lines += [line for each in found if each.use == parts.LINKED for line in described(each)]
    lines += ["", "## Libraries of the distribution that are loaded on demand", "",
              "If one of them is missing, only the features that need it are unavailable.", ""]
    lines += [line for each in found if each.use == parts.OPENED for line in described(each)]
    return "\n".join(lines) + "\n"


def described(each):
    known = "" if each.version == NOT_KNOWN else " " + each.version
    source = f" (package {each.package[0]})" if each.package else ""
    holder = [f"  Copyright {each.part.holder}"] * bool(each.part.holder)
    names = ", ".join(each.libraries) or ", ".join(shown(each))
    lines = [f"* **{each.part.name}**{known}{source}: {each.part.license}", f"  {each.part.what}", f"  {names}", *holder]
    return [wrapped for line in lines for wrapped in wrap(line, indent="  ")]


def wrap(line, indent=""):
    return textwrap.wrap(line, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def shown(each):
    """Returns the component's files as the notice lists them. The language tables are shortened to their folder, and synthhost's own
    files are summarized."""
    if each.part is parts.OWN:
        return ["all other files"]
    return sorted({file if not file.startswith("lib/synthhost/languages/") else "lib/synthhost/languages" for file in each.files})


# ---- SPDX document ----


def document(tree, found, name, commit, moment):
    """Returns the SPDX document as a JSON value."""
    identifiers = {file: f"SPDXRef-File-{number}" for number, file in enumerate(tree.files, 1)}
    digests = {file: tree.digests(file) for file in tree.files}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", parts.OWN.identifier)]
    for each in found:
        if each.use == parts.INSIDE:
            if each.part is not parts.OWN:
                relations.append((parts.OWN.identifier, "CONTAINS", each.part.identifier))
            relations += [(each.part.identifier, "CONTAINS", identifiers[file]) for file in each.files]
        elif each.use == parts.OPENED:
            relations.append((each.part.identifier, RELATIONS[each.use], parts.OWN.identifier))
        else:
            relations += [(identifiers[file], RELATIONS[each.use], each.part.identifier) for file in each.users]
    verification = code(digests.values())
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        # The namespace contains the digest, because a checkout may differ from its commit.
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{commit}-{verification}",
        "comment": "Paths are relative to the installed tree; a package of the distribution may install the files elsewhere.",
        "creationInfo": {"created": moment, "creators": ["Tool: synthhost-notices"]},
        "packages": [package(each, digests) for each in found],
        "files": [file_of(file, each, identifiers, digests) for each in found for file in each.files],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations],
    }


def package(each, digests):
    value = {
        "SPDXID": each.part.identifier,
        "name": each.part.name,
        "versionInfo": each.version,
        "downloadLocation": NOT_KNOWN,
        "homepage": each.part.home,
        "licenseConcluded": each.part.license,
        "licenseDeclared": each.part.license,
        "copyrightText": f"Copyright {each.part.holder}" if each.part.holder else NOT_KNOWN,
        "summary": each.part.what,
        "comment": {
            parts.INSIDE: "Included.", parts.LINKED: "Linked from the distribution: ",
            parts.OPENED: "Loaded on demand from the distribution: "}[each.use] + ", ".join(each.libraries),
        "filesAnalyzed": each.use == parts.INSIDE,
    }
    if each.use == parts.INSIDE:
        value["packageVerificationCode"] = {"packageVerificationCodeValue": code(digests[file] for file in each.files)}
        value["licenseInfoFromFiles"] = [NOT_KNOWN]
        if each.part is parts.OWN:
            value["packageVerificationCode"]["packageVerificationCodeExcludedFiles"] = [f"./{file}" for file in LEFT_OUT]
            value["primaryPackagePurpose"] = "APPLICATION"
    purl = f"pkg:deb/{distribution_name()}/{each.package[0]}@{each.package[1]}?arch={each.package[2]}" if each.package else (
        each.part.purl.format(each.version) if each.use == parts.INSIDE and each.version != NOT_KNOWN else "")
    if purl:
        value["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl.replace("+", "%2B")}]
    if not each.part.home:
        del value["homepage"]
    return value


def file_of(file, each, identifiers, digests):
    first, second = digests[file]
    value = {
        "SPDXID": identifiers[file],
        "fileName": f"./{file}",
        "checksums": [{"algorithm": "SHA1", "checksumValue": first}, {"algorithm": "SHA256", "checksumValue": second}],
        "licenseConcluded": each.part.license,
        "licenseInfoInFiles": [NOT_KNOWN],
        "copyrightText": f"Copyright {each.part.holder}" if each.part.holder else NOT_KNOWN,
    }
    if file == COMPLETED:
        value["comment"] = "The installation inserts the path of the program."
    return value


def code(digests):
    """Returns the verification code of a package, which is the digest of its files' digests."""
    return hashlib.sha1("".join(sorted(first for first, _ in digests)).encode()).hexdigest()


def distribution_name():
    return platform.freedesktop_os_release().get("ID", "debian")


def main():
    folder, checkout = sys.argv[1:]
    tree = Tree(folder)
    found = find(tree, Distribution())
    name = f"synthhost-{found[0].version}-linux-{platform.machine()}"
    commit = said("git", "-C", checkout, "rev-parse", "--short=12", "HEAD").strip() or "unknown"
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or said("git", "-C", checkout, "log", "-1", "--format=%ct").strip() or "0"
    moment = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    os.makedirs(os.path.dirname(tree.path(DOCUMENT)), exist_ok=True)
    with open(tree.path(DOCUMENT), "w", encoding="utf-8") as file:
        json.dump(document(tree, found, name, commit, moment), file, separators=(",", ":"), ensure_ascii=False)
        file.write("\n")
    with open(tree.path(NOTICE), "w", encoding="utf-8") as file:
        file.write(notice(found, name))


if __name__ == "__main__":
    main()
