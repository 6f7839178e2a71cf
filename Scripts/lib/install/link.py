#!/usr/bin/env python3
"""Relinks the programs and the engines of an installed tree, which makes them a tenth smaller than SwiftPM's files.

Usage: link.py COMMANDS BUILT FOLDER NAME...

  COMMANDS  the file with SwiftPM's build commands (.build/release.yaml)
  BUILT     the folder with their results
  FOLDER    the folder for the linked files; an engine NAME becomes libNAME.so
  NAME      a program or an engine

Each file is linked by SwiftPM's own command, with these differences:

* Stack unwinding tables, which account for a tenth of a program's size, are omitted. Swift does not need them, and no C++
  exception passes through this code.
* lld merges identical functions (`--icf=all`). Swift compares the addresses of functions only if key paths of
  computed properties are compared, which no module does.
* Relocations are stored in the compact form that glibc 2.36 introduced.
* Code that several engines share is in a shared library, which exports only the symbols that they use: libSynthInference.so contains the
  common code of all engines with ONNX models, instead of a megabyte in each of them, and libSynthEnglish.so contains the 4 MB
  of English data. The programs that check engines, download and read documents also share a library.
"""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

# The shared libraries. The first pattern identifies the files that use a library, and the second one all modules that it contains.
# Modules in one library do not use modules in another.
LIBRARIES = {
    "libSynthInference.so": (
        "SynthInference",
        "CSynthFileHoles|CSynthVectorKernels|EngineKit|SynthGraphRewriting|SynthGraphs|SynthInference|SynthJSON|SynthONNXRuntime"),
    "libSynthEnglish.so": ("CSynthEnglish", "CSynthEnglish"),
    # Excludes the programs that start with every command.
    "libSynthPrograms.so": ("synthhost_(check|fetch|read)", "CSynthLinux|SynthJSON|SynthSystem"),
}
# `--undefined-version` lets an engine's version script list exports that a shared library does not have.
OPTIONS = ["-use-ld=lld", *(
    word for option in ("--icf=all", "-O2", "-z", "pack-relative-relocs", "--undefined-version") for word in ("-Xlinker", option))]
REMEDY = "Remove the folder .build, then run the same command again."


def main(commands, built, folder, names):
    linker = Linker(commands, os.path.realpath(built), folder)
    for library in LIBRARIES:
        users = [name for name in names if library in linker.libraries(name)]
        if users:
            linker.share(library, users)
    for name in names:
        linker.link(name)
    shutil.rmtree(os.path.join(folder, "objects"))


class Linker:
    def __init__(self, commands, built, folder):
        self.folder = folder
        self.slim = {}
        # The commands that create files, keyed by file name.
        self.commands = {}
        with open(commands, encoding="utf-8") as file:
            for line in file:
                if line.startswith("    args: [") and ".product/Objects.LinkFileList" in line:
                    command = json.loads(line.split(":", 1)[1])
                    made = command[command.index("-o") + 1]
                    if os.path.dirname(os.path.realpath(made)) == built:
                        self.commands[os.path.basename(made)] = command
        os.makedirs(os.path.join(folder, "objects"), exist_ok=True)

    def command(self, name):
        for file in (name, f"lib{name}.so"):
            if file in self.commands:
                return file, self.commands[file]
        sys.exit(f"SwiftPM has no command that produces {name}.")

    def objects(self, name):
        _, command = self.command(name)
        listed = next(word[1:] for word in command if word.startswith("@"))
        with open(listed, encoding="utf-8") as file:
            return [path for line in file for path in shlex.split(line)]

    def libraries(self, name):
        """Returns the shared libraries that an engine or a program uses."""
        return [library for library, (sign, _) in LIBRARIES.items() if any(has(path, sign) for path in self.objects(name))]

    def slimmed(self, objects):
        """Returns copies of objects without their unwinding tables."""
        new = [path for path in objects if path not in self.slim]
        for path in new:
            self.slim[path] = os.path.join(self.folder, "objects", f"{len(self.slim)}.o")

        def copy(path):
            subprocess.run(["objcopy", "-R", ".eh_frame", "-R", ".rela.eh_frame", path, self.slim[path]], check=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(copy, new))
        return [self.slim[path] for path in objects]

    def run(self, command, into, objects, options):
        """Runs a command with different objects and a different output file."""
        listed = os.path.join(self.folder, "objects", "list")
        with open(listed, "w", encoding="utf-8") as file:
            # Quote the paths as SwiftPM does.
            for path in self.slimmed(objects):
                file.write("'" + path.replace("'", "'\\''") + "'\n")
        command = [f"@{listed}" if word.startswith("@") else word for word in command]
        command[command.index("-o") + 1] = os.path.join(self.folder, into)
        subprocess.run(command + OPTIONS + options, check=True)

    def link(self, name):
        file, command = self.command(name)
        libraries = self.libraries(name)
        own = [path for path in self.objects(name) if not any(has(path, LIBRARIES[library][1]) for library in libraries)]
        self.run(command, file, own, ["-L", self.folder, *(f"-l:{library}" for library in libraries)] if libraries else [])

    def share(self, library, users):
        """Links a library that engines or programs share."""
        modules = LIBRARIES[library][1]
        listed = [(path, has(path, modules)) for user in users for path in self.objects(user)]
        shared = sorted({path for path, is_shared in listed if is_shared})
        others = sorted({path for path, is_shared in listed if not is_shared})
        exports = symbols(shared, "--defined-only") & symbols(others, "--undefined-only")
        script = os.path.join(self.folder, "objects", "exports.map")
        with open(script, "w", encoding="utf-8") as file:
            file.write("{ global: " + " ".join(f'"{name}";' for name in sorted(exports)) + " local: *; };\n")
        _, command = self.command(users[0])
        # Remove an engine's soname and exports, and a program's entry point, each with the preceding `-Xlinker`.
        own = [place for place, word in enumerate(command) if word.startswith(("-soname=", "--version-script=", "--defsym", "main="))]
        command = [word for place, word in enumerate(command) if place not in own and place + 1 not in own]
        command = ["-emit-library" if word == "-emit-executable" else word for word in command]
        self.run(command, library, shared, [
            "-Xlinker", f"-soname={library}", "-Xlinker", f"--version-script={script}", "-Xlinker", "--as-needed"])


def has(path, modules):
    """Returns whether an object belongs to one of the modules."""
    return bool(re.search(f"/({modules})\\.build/", path))


def symbols(objects, kind):
    """Returns the external symbols of one kind in the objects."""
    found = subprocess.run(["nm", "--extern-only", kind, "--format=just-symbols", *objects], stdout=subprocess.PIPE, check=True)
    return {line for line in found.stdout.decode().split("\n") if line and not line.endswith(":")}


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:4], sys.argv[4:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} failed while linking the programs. {REMEDY}")
    except OSError as error:
        sys.exit(f"The programs could not be linked: {error}. {REMEDY}")
