#!/usr/bin/env python3
"""Reads an image in the same way as a container runtime, and prepares its containers.

Usage: bundle.py unpack ARCHIVE FOLDER          verifies every digest, and unpacks the files into FOLDER/rootfs
       bundle.py spec FOLDER VOLUME [OPTION…] -- ARGUMENT…
                                                writes FOLDER/config.json, which crun reads: a container with these arguments for
                                                the program of the image, or with its default arguments. It shares the network of
                                                the process that starts it, and may write only to VOLUME

Options: --writable (the container may also write to its own files), --root (it runs as root, without privileges), NAME=VALUE (a
variable)
"""

import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile


def main():
    task, *rest = sys.argv[1:]
    {"unpack": unpack, "spec": spec}[task](*rest)


def unpack(archive, folder):
    with tarfile.open(archive) as image:
        files = {member.name: image.extractfile(member).read() for member in image if member.isfile()}
    for name, data in files.items():
        if name.startswith("blobs/sha256/"):
            equal(hashlib.sha256(data).hexdigest(), name.rpartition("/")[2])
    used = set()

    def blob(descriptor):
        name = "blobs/" + descriptor["digest"].replace(":", "/")
        used.add(name)
        equal(len(files[name]), descriptor["size"])
        return files[name]

    equal(json.loads(files["oci-layout"]), {"imageLayoutVersion": "1.0.0"})
    (listed,) = json.loads(files["index.json"])["manifests"]
    manifest = json.loads(blob(listed))
    config = json.loads(blob(manifest["config"]))
    (layer,) = [gzip.decompress(blob(descriptor)) for descriptor in manifest["layers"]]
    equal(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layer).hexdigest()])
    equal(used, {name for name in files if name.startswith("blobs/")})
    (legacy,) = json.loads(files["manifest.json"])
    equal({legacy["Config"], *legacy["Layers"]} | {"blobs/" + listed["digest"].replace(":", "/")}, used)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "image.json").write_text(json.dumps(config))
    with tarfile.open(fileobj=io.BytesIO(layer)) as files:
        files.extractall(folder / "rootfs", numeric_owner=True)


def spec(folder, volume, *rest):
    options, arguments = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    folder = pathlib.Path(folder)
    image = json.loads((folder / "image.json").read_text())["config"]
    user, group = (0, 0) if "--root" in options else map(int, image["User"].split(":"))
    (place,) = image["Volumes"]
    (folder / "config.json").write_text(json.dumps({
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": user, "gid": group}, "args": image["Entrypoint"] + (list(arguments) or image["Cmd"]),
            "env": image["Env"] + [option for option in options if "=" in option], "cwd": image["WorkingDir"],
            "noNewPrivileges": True, "capabilities": {}},
        "root": {"path": "rootfs", "readonly": "--writable" not in options},
        "mounts": [
            mount("/proc", "proc", "proc"),
            mount("/dev", "tmpfs", "tmpfs", "nosuid", "mode=755"),
            mount("/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777"),
            mount(place, "bind", volume, "rbind", "rw"),
        ],
        # The container has no separate network namespace, so it uses the network of the process that starts it.
        "linux": {"namespaces": [{"type": kind} for kind in ("pid", "ipc", "uts", "mount")]},
    }))


def mount(place, kind, source, *options):
    return {"destination": place, "type": kind, "source": source, "options": list(options)}


def equal(one, other):
    if one != other:
        raise SystemExit(f"{one} differs from {other}")


if __name__ == "__main__":
    main()
