#!/usr/bin/env python3
"""Creates a container image from Debian packages, as an archive with an OCI layout for `podman load` and `docker load`.

Usage: oci.py VERSION MOMENT LEVEL ARCHIVE PACKAGE.deb...

MOMENT is the date of every file, as a Unix time in seconds. LEVEL is the compression level, from 1 to 9. No program in the packages is
run, so neither root nor another system is needed. The same packages always produce the same bytes.
"""

import datetime
import gzip
import hashlib
import io
import json
import sys
import tarfile

import oci_tree

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
# The annotations in which podman and containerd find the name of a loaded image.
NAMES = ("org.opencontainers.image.ref.name", "io.containerd.image.name")
PROGRAM = "/usr/bin/synthhost"
SECOND = 10**9


def main():
    version, moment, level, archive = sys.argv[1:5]
    packages = sys.argv[5:]
    moment = int(moment)
    name = f"localhost/synthhost:{version}"
    tree = oci_tree.Tree()
    for package in packages:
        tree.add_package(package)
    tree.add_users()
    tree.add_certificates()
    plain = tree.packed(moment)
    layer = gzip.compress(plain, int(level), mtime=0)
    config = as_json(configuration(version, moment, architecture(packages), digest(plain)))
    manifest = as_json({
        "schemaVersion": 2, "mediaType": MANIFEST,
        "config": described(CONFIG, config), "layers": [described(LAYER, layer)]})
    index = as_json({
        "schemaVersion": 2, "mediaType": INDEX,
        "manifests": [described(MANIFEST, manifest) | {"annotations": {key: name for key in NAMES}}]})
    files = {"oci-layout": as_json({"imageLayoutVersion": "1.0.0"}), "index.json": index}
    for blob in (config, manifest, layer):
        files[path(blob)] = blob
    # The manifest that older versions of `docker load` read.
    files["manifest.json"] = as_json([{"Config": path(config), "RepoTags": [name], "Layers": [path(layer)]}])
    with open(archive, "wb") as file:
        write(files, moment, file)
    print(f"{len(plain)} {len(layer)} {len(packages)}")


def architecture(packages):
    """Returns the architecture. Containers use Go's names, which equal Debian's names for the supported machines."""
    names = {oci_tree.said_by("dpkg-deb", "-f", package, "Architecture").decode().strip() for package in packages}
    (name,) = names - {"all"}
    return name


def configuration(version, moment, machine, layer):
    created = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "architecture": machine, "os": "linux", "created": created,
        "config": {
            "User": f"{oci_tree.USER}:{oci_tree.USER}",
            "ExposedPorts": {"8880/tcp": {}, "10200/tcp": {}},
            "Env": ENVIRONMENT,
            "Entrypoint": [PROGRAM],
            "Cmd": ["serve", "--wyoming", "tcp://0.0.0.0:10200", "--http", "0.0.0.0:8880"],
            "Volumes": {oci_tree.VOLUME: {}},
            "WorkingDir": oci_tree.VOLUME,
            "StopSignal": "SIGTERM",
            # A Docker extension; plain OCI runtimes ignore it.
            "Healthcheck": {
                "Test": ["CMD", PROGRAM, "serve", "--status"], "Interval": 30 * SECOND, "Timeout": 10 * SECOND,
                "StartPeriod": 10 * SECOND, "Retries": 3},
            "Labels": {
                "org.opencontainers.image.title": "synthhost",
                "org.opencontainers.image.description": "text-to-speech host that runs any engine, offline",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.created": created,
                "org.opencontainers.image.licenses": "Apache-2.0 AND GPL-3.0-or-later",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [layer]},
        "history": [{"created": created, "created_by": "Scripts/package oci"}],
    }


# All files are written to the volume, except the socket of the user's service: a volume may be on another machine, where sockets do not
# work, while /dev/shm is available even if nothing else is writable.
ENVIRONMENT = [
    "PATH=/usr/bin", "LANG=C.UTF-8", f"HOME={oci_tree.VOLUME}", f"XDG_DATA_HOME={oci_tree.VOLUME}",
    f"XDG_CONFIG_HOME={oci_tree.VOLUME}/config", f"XDG_STATE_HOME={oci_tree.VOLUME}/state",
    f"XDG_CACHE_HOME={oci_tree.VOLUME}/cache", "XDG_RUNTIME_DIR=/dev/shm", f"TMPDIR={oci_tree.VOLUME}",
]


def as_json(value):
    return json.dumps(value, indent=2, sort_keys=True).encode() + b"\n"


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def path(blob):
    return "blobs/" + digest(blob).replace(":", "/")


def described(kind, blob):
    return {"mediaType": kind, "digest": digest(blob), "size": len(blob)}


def write(files, moment, out):
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for folder in ("blobs", "blobs/sha256"):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, moment
            archive.addfile(entry)
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(data), 0o644, moment
            archive.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    main()
