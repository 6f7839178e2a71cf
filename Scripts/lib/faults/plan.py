"""Selects the faults to try at a call site."""

import errno

from faults.table import Fault

# For each group of calls, the errors, and whether each error persists. The first two are tried at each site, and the others at random.
ERRORS = {
    "open": [("EMFILE", False), ("EMFILE", True), ("EIO", False), ("ENFILE", False)],
    "create": [("ENOSPC", False), ("ENOSPC", True), ("EROFS", False), ("EMFILE", False), ("EDQUOT", False)],
    "read": [("EIO", False), ("EIO", True), ("EINTR", False)],
    "write": [("ENOSPC", False), ("ENOSPC", True), ("EIO", False), ("EDQUOT", True), ("EINTR", False)],
    "send": [("EPIPE", False), ("EPIPE", True), ("EINTR", False)],
    "receive": [("ECONNRESET", False), ("ENOMEM", True), ("EINTR", False)],
    "map": [("ENOMEM", False), ("ENOMEM", True)],
    "close": [("EIO", False)],
    "thread": [("EAGAIN", False), ("EAGAIN", True)],
    "rename": [("EIO", False), ("ENOSPC", True), ("EROFS", False)],
    "remove": [("EIO", False), ("EROFS", True)],
    "folder": [("ENOSPC", False), ("ENOSPC", True), ("EROFS", True)],
    "sync": [("EIO", False), ("EIO", True), ("ENOSPC", False)],
    "length": [("ENOSPC", False), ("EIO", True)],
    "lock": [("ENOLCK", False), ("ENOLCK", True), ("EINTR", False)],
    "socket": [("EMFILE", False), ("EMFILE", True)],
    "connect": [("ECONNREFUSED", False), ("ECONNREFUSED", True), ("EINTR", False)],
    # Clients would wait as long as a service cannot accept connections, so these errors never persist.
    "accept": [("EMFILE", False), ("ECONNABORTED", False)],
    "bind": [("EADDRINUSE", False), ("EACCES", True)],
    "poll": [("EINTR", False), ("ENOMEM", False)],
    "status": [("EIO", False)],
    "fork": [("EAGAIN", False), ("EAGAIN", True)],
    "execute": [("EIO", False), ("ENOENT", True)],
}
# Calls that change files. The process is also killed before each of these calls.
CHANGES = {"create", "write", "rename", "remove", "folder", "sync", "length"}
# The probability of trying each of the other faults.
PART = 0.25
DAY = 24 * 3600


def faults(site, dice):
    """Yields the faults to try at a site. The same dice always select the same faults, in the same order."""
    errors = [Fault(site, "error", getattr(errno, name), lasts) for name, lasts in ERRORS.get(site.call, [])]
    if site.call == "receive" and site.about == "pipe":
        errors = [Fault(site, "error", errno.EIO)]
    more = errors[2:]
    if site.call in CHANGES:
        yield Fault(site, "kill")
    if site.call in ("read", "write", "send", "receive") and site.about != "folder":
        more.append(Fault(site, "short", lasts=True))
    if site.call == "receive":
        more.append(Fault(site, "end"))
    if site.call == "clock":
        errors = [Fault(site, "jump", lasts=True, jump=jump) for jump in (-DAY, DAY)]
    yield from errors[:2]
    for fault in more:
        if dice.random() < PART:
            yield fault
    # Try a fault at a later call from this site, too.
    if site.count > 1 and errors and dice.random() < PART:
        yield Fault(site, errors[0].kind, errors[0].error, hit=dice.randrange(1, site.count), jump=errors[0].jump)


def describe(fault):
    what = {"error": errno.errorcode.get(fault.error, ""), "short": "a single byte", "end": "the end", "kill": "killed",
            "jump": f"clock {fault.jump:+} s"}[fault.kind]
    when = (" from then on" if fault.lasts else "") + (f", at call {fault.hit + 1}" if fault.hit else "")
    return f"{fault.site.program}: {fault.site.call} {fault.site.about!r}: {what}{when}"
