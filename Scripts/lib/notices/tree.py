"""Determines the components of an installed tree, and its dependencies on the distribution, from its files."""

import hashlib
import os
import re
import subprocess

import parts

MANIFEST = "lib/synthhost/manifest"
DOCUMENT = "share/doc/synthhost/synthhost.spdx.json"
NOTICE = "share/doc/synthhost/third-party.md"
# Files that are written later, or by these scripts.
LEFT_OUT = (MANIFEST, DOCUMENT, NOTICE)


class Tree:
    def __init__(self, folder):
        self.folder = folder
        self.files = sorted(self._files())

    def _files(self):
        for place, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(place, name)
                relative = os.path.relpath(path, self.folder)
                if not os.path.islink(path) and relative not in LEFT_OUT:
                    yield relative

    def path(self, file):
        return os.path.join(self.folder, file)

    def digests(self, file):
        """Returns the SHA-1 digest, which SPDX requires, and the SHA-256 digest."""
        with open(self.path(file), "rb") as opened:
            content = opened.read()
        return hashlib.sha1(content).hexdigest(), hashlib.sha256(content).hexdigest()

    def is_binary(self, file):
        with open(self.path(file), "rb") as opened:
            return opened.read(4) == b"\x7fELF"

    def needed(self):
        """Returns the linked libraries that are not in the tree, each with the files that link it."""
        inside = {os.path.basename(file) for file in self.files}
        found = {}
        for file, names in self.linked().items():
            for name in names:
                if name not in inside:
                    found.setdefault(name, []).append(file)
        return found

    def linked(self):
        """Returns the names of the libraries that each program and library links."""
        paths = {self.path(file): file for file in self.files if self.is_binary(file)}
        found, current = {file: [] for file in paths.values()}, None
        for line in said("readelf", "-d", *paths, "/dev/null").splitlines():
            if line.startswith("File: "):
                current = paths.get(line.removeprefix("File: "))
            elif current and (name := re.search(r"\(NEEDED\).*\[(.*)\]", line)):
                found[current].append(name.group(1))
        return found

    def opened(self):
        """Returns the libraries that programs open on demand, as listed in the installer."""
        with open(self.path("share/synthhost/install"), encoding="utf-8") as file:
            text = file.read()
        return re.search(r'^opened="([^"\n]*)"$', text, re.M).group(1).split()


# ---- Versions ----


def said(*words):
    """Returns the output of a program regardless of its exit code, or "" if it is not installed."""
    try:
        answer = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ | {"LC_ALL": "C"})
    except OSError:
        return ""
    return answer.stdout.decode()


def version(part, tree):
    """Returns the version of a component in the tree, or "" if it is unknown."""
    if part.version == parts.SYNTHHOST:
        return said(tree.path("bin/synthhost"), "--version").strip().removeprefix("synthhost ")
    if part.version == "swift":
        found = re.search(r"Swift version (\S+)", said("swift", "--version"))
        return found.group(1) if found else ""
    if part.version == "onnxruntime":
        return next((name for file in tree.files if part.has_file(file) for name in symbol_version(tree.path(file))), "")
    return part.version


def symbol_version(path):
    """Returns the symbol versions of ONNX Runtime, which contain its version."""
    with open(path, "rb") as file:
        return [name.decode() for name in re.findall(rb"VERS_(\d+\.\d+\.\d+)\0", file.read())]


class Distribution:
    """The package manager's information about the libraries that the loader finds."""

    def __init__(self):
        # Use the loader's paths, because a library of another architecture may have the same name.
        self.paths = {}
        loader = said("/sbin/ldconfig", "-p") or said("ldconfig", "-p")
        for name, path in re.findall(r"^\s+(\S+) \(.*\) => (\S+)$", loader, re.M):
            self.paths.setdefault(name, path)

    def icu(self):
        """Returns the name of the ICU library that is opened, which is the newest installed version."""
        versions = [int(name.rpartition(".")[2]) for name in self.paths if re.fullmatch(r"libicui18n\.so\.\d+", name)]
        return f"libicui18n.so.{max(versions)}" if versions else "libicui18n.so"

    def packages(self, libraries):
        """Returns the package, its version and its architecture for each library whose package is known."""
        # A package may list a file under its path from before /lib became a link.
        spellings = {}
        for name in libraries:
            path = self.paths.get(name, "")
            for spelling in (path, "/usr" + path, path.removeprefix("/usr")) if path else ():
                spellings[spelling] = name
        owners = {}
        for line in said("dpkg-query", "-S", *spellings).splitlines() if spellings else ():
            owner, _, path = line.rpartition(": ")
            if path in spellings:
                owners[spellings[path]] = owner.split(", ")[0]
        form = "${binary:Package}\\t${Package}\\t${Version}\\t${Architecture}\\n"
        lines = said("dpkg-query", "-W", "-f", form, *sorted(set(owners.values()))).splitlines() if owners else ()
        known = {words[0]: tuple(words[1:]) for words in (line.split("\t") for line in lines)}
        return {name: known[owner] for name, owner in owners.items() if owner in known}
