"""Packages from PyPI in fixed versions, in an environment of their own below `.build`."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRIES = 3
# Seconds. It only bounds a hang.
LIMIT = 900


def names(versions):
    """As pip wants them."""
    return [f"{name}=={version}" for name, version in versions.items()]


def pip(python, *words, hint=""):
    """Runs pip, some times if need be. Ends this program if it still fails."""
    for _ in range(TRIES):
        try:
            if subprocess.run([python, "-m", "pip", "--disable-pip-version-check", *words], timeout=LIMIT).returncode == 0:
                return
        except subprocess.TimeoutExpired:
            pass
    sys.exit(f"The packages could not be fetched. Look at the network and run this again{hint}.")


def python_of(folder):
    return os.path.join(folder, "bin", "python")


def site_of(folder):
    """Where the packages of an environment are."""
    return os.path.join(folder, "lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")


def install(folder, *groups, form="", hint=""):
    """Makes the environment and installs each group, which is a list of words for pip; once, until the words change.

    `form` tells groups apart that are installed into one environment at different times. `hint` is what else a user may do if
    the network is away.
    """
    stamp = os.path.join(folder, "-".join(["stamp", form]) if form else "stamp")
    text = " ".join(word for group in groups for word in group)
    if os.path.exists(stamp) and open(stamp).read() == text:
        return
    print(f"Installing {text}", file=sys.stderr)
    if not os.path.exists(python_of(folder)):
        packages = ". Scripts/lib/packages.sh && require_packages python3-venv"
        subprocess.run(["sh", "-c", packages], cwd=ROOT, check=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    for group in groups:
        pip(python_of(folder), "install", "--quiet", *group, hint=hint)
    with open(stamp, "w") as file:
        file.write(text)
