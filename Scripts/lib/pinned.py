"""Installs pinned versions of PyPI packages in a separate environment below `.build`."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRIES = 3
# The timeout in seconds.
LIMIT = 900


def names(versions):
    """Returns the packages as pip arguments."""
    return [f"{name}=={version}" for name, version in versions.items()]


def pip(python, *words, hint=""):
    """Runs pip, with retries. Exits if it still fails."""
    for _ in range(TRIES):
        try:
            if subprocess.run([python, "-m", "pip", "--disable-pip-version-check", *words], timeout=LIMIT).returncode == 0:
                return
        except subprocess.TimeoutExpired:
            pass
    sys.exit(f"Cannot download the packages. Check the network, then run this command again{hint}.")


def python_of(folder):
    return os.path.join(folder, "bin", "python")


def site_of(folder):
    """Returns the folder with an environment's packages."""
    return os.path.join(folder, "lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")


def install(folder, *groups, form="", hint=""):
    """Creates the environment and installs each group, which is a list of pip arguments. Does nothing if the arguments have not changed.

    `form` distinguishes groups that are installed into one environment at different times. `hint` is an additional remedy for the user if
    the network is unavailable.
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
