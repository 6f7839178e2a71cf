"""What the kernel reports about running processes."""

import os
import time

from bench.measuring import children

TICK = os.sysconf("SC_CLK_TCK")


def tree(pid):
    """The process and all its descendants."""
    found = [pid]
    for child in children(pid):
        found += tree(child)
    return found


def memory(pid, key="VmRSS"):
    """Bytes of the largest process in the tree."""
    return max((_status(one, key) for one in tree(pid)), default=0)


def resident(pid):
    """Bytes of all processes in the tree together."""
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
    """Processor seconds of the processes in the tree so far."""
    return sum(_used(one) for one in tree(pid))


def _used(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except OSError:
        return 0.0


def wait_until_idle(pid, quiet=0.4):
    """Waits until the tree has used no processor time for this long, for programs that do not report that they have
    loaded."""
    used, since = processor(pid), time.monotonic()
    while time.monotonic() - since < quiet:
        time.sleep(0.02)
        if (now := processor(pid)) != used:
            used, since = now, time.monotonic()
