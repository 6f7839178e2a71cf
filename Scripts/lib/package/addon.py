#!/usr/bin/env python3
"""Creates the folder of an add-on for Home Assistant from an image of oci.py.

Usage: addon.py IMAGE TEMPLATES FOLDER
"""

import json
import os
import pathlib
import re
import sys
import tarfile

# Home Assistant's names for architectures that have different names elsewhere.
MACHINES = {"arm64": "aarch64", "armhf": "armv7"}


def main():
    image, templates, folder = (pathlib.Path(word) for word in sys.argv[1:])
    with tarfile.open(image) as archive:
        named = json.load(archive.extractfile("manifest.json"))[0]
        config = json.load(archive.extractfile(named["Config"]))
        layer = archive.extractfile(named["Layers"][0]).read()
        moment = archive.getmember("index.json").mtime
    words = {
        "VERSION": config["config"]["Labels"]["org.opencontainers.image.version"],
        "ARCH": MACHINES.get(config["architecture"], config["architecture"]),
        "ENVIRONMENT": " \\\n    ".join(config["config"]["Env"]),
    }
    for template in sorted(path for path in templates.rglob("*") if path.is_file()):
        text = re.sub(r"@([A-Z]+)@", lambda match: words[match[1]], template.read_text())
        put(folder / template.relative_to(templates), text.encode(), moment)
    put(folder / "rootfs.tar.gz", layer, moment)


def put(path, data, moment):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o644)
    os.utime(path, (moment, moment))


if __name__ == "__main__":
    main()
