#!/usr/bin/env python3
"""Reads the folder of an add-on in the same way as Home Assistant's Supervisor.

Usage: addon_checks.py FOLDER                    checks its consistency
       addon_checks.py FOLDER --environment      prints the environment variables that the add-on sets, as NAME=VALUE
       addon_checks.py FOLDER --run IMAGE OPTIONS
                                                 writes the Dockerfile's settings as the configuration of an image, and the
                                                 initial options
"""

import json
import pathlib
import re
import sys

import yaml

# The required fields of an add-on.
NEEDED = {"name", "version", "slug", "description", "arch"}


def main():
    folder = pathlib.Path(sys.argv[1])
    config = yaml.safe_load((folder / "config.yaml").read_text())
    match sys.argv[2:]:
        case []: check_all(folder, config)
        case ["--environment"]: print(*(f"{name}={value}" for name, value in config["environment"].items()))
        case ["--run", image, options]:
            pathlib.Path(image).write_text(json.dumps({"config": instructions(folder)}))
            pathlib.Path(options).write_text(json.dumps(config["options"], indent=2))


def check_all(folder, config):
    check(NEEDED <= set(config), f"missing keys: {NEEDED - set(config)}")
    check(config["arch"][0] in ("amd64", "aarch64", "armv7"), config["arch"])
    check(re.fullmatch(r"[-_.A-Za-z0-9]+", config["slug"]), config["slug"])
    needed = {name for name, kind in config["schema"].items() if not str(kind).endswith("?")}
    check(needed == set(config["options"]), f"the required options are {needed}, not {set(config['options'])}")
    words = yaml.safe_load((folder / "translations" / "en.yaml").read_text())
    check(set(words["configuration"]) == set(config["schema"]), "the options and their names differ")
    check(set(words["network"]) == set(config["ports"]), "the ports and their names differ")
    check("discovery" not in config, "Home Assistant cannot discover the add-on, but the configuration requests discovery")
    for path in folder.rglob("*"):
        if path.suffix in (".md", ".yaml") or path.name == "Dockerfile":
            check(not re.search("@[A-Z]+@", path.read_text()), f"{path} still contains a placeholder")
    run = instructions(folder)
    port = run["Cmd"][-1].rpartition(":")[2]
    check(f"{port}/tcp" in config["ports"] and f"PORT:{port}" in config["watchdog"], f"port {port}")


def instructions(folder):
    """Returns the configuration of the image that the Dockerfile creates."""
    text = (folder / "Dockerfile").read_text().replace("\\\n", " ")
    said = {line.split(" ")[0]: line.split(" ", 1)[1] for line in text.splitlines() if line and not line.startswith("#")}
    check(said["FROM"] == "scratch" and said["ADD"] == "rootfs.tar.gz /", "unexpected FROM or ADD in the Dockerfile")
    return {
        "User": said["USER"], "Env": said["ENV"].split(), "Entrypoint": json.loads(said["ENTRYPOINT"]),
        "Cmd": json.loads(said["CMD"]), "WorkingDir": "/", "Volumes": {"/data": {}},
        "Healthcheck": {"Test": ["CMD", *json.loads(said["HEALTHCHECK"].partition("CMD ")[2])]}}


def check(holds, complaint):
    if not holds:
        raise SystemExit(complaint)


if __name__ == "__main__":
    main()
