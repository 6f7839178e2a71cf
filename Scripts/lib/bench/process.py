"""The kernel's statistics about running processes."""

import os
import time

from bench.measuring import children

TICK = os.sysconf("SC_CLK_TCK")


def tree(pid):
    """Returns the process and all its descendants."""
    found = [pid]
    for child in children(pid):
        found += tree(child)
    return found


def memory(pid, key="VmRSS"):
    """Returns the memory of the largest process in the tree, in bytes."""
    return max((_status(one, key) for one in tree(pid)), default=0)


def resident(pid):
    """Returns the total memory of the processes in the tree, in bytes."""
    return sum(_status(one, "VmRSS") for one in tree(pid))


def _status(pid, key):
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(key + ":"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def processor(pid):
    """Returns the processor seconds used by the processes in the tree."""
    return sum(_used(one) for one in tree(pid))


def _used(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except OSError:
        return 0.0


def wait_until_idle(pid, quiet=0.4):
    """Waits until the tree has been idle for this long. Used for programs that do not report when they have loaded."""
    used, since = processor(pid), time.monotonic()
    while time.monotonic() - since < quiet:
        time.sleep(0.02)
        if (now := processor(pid)) != used:
            used, since = now, time.monotonic()
