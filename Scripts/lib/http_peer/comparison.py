"""Compares the verdicts of both parsers, and counts the requests that only our parser rejects."""

import collections

# The number of examples for each kind of difference.
SHOWN = 2


class Comparison:
    def __init__(self):
        self.count = self.both_accept = self.both_refuse = self.requests = self.waiting = 0
        self.stricter = collections.Counter()
        self.earlier = collections.Counter()
        self.statuses = collections.Counter()
        self.differences = []

    def add(self, stream, theirs, ours):
        self.count += 1
        difference = "the requests differ if the bytes arrive in chunks" if ours.is_cut else self.compare(theirs, ours)
        if difference:
            self.differences.append((difference, stream, theirs, ours))
        if ours.end == "refused":
            self.statuses[ours.reason.split(" ")[1]] += 1

    def compare(self, theirs, ours):
        """Returns the difference, or None if the verdicts agree, and counts agreements."""
        ours_whole, theirs_whole = whole(ours), whole(theirs)
        for mine, other in zip(ours.requests, theirs.requests):
            fields = ["method", "target", "version", "headers"]
            if any(request is mine for request in ours_whole) and any(request is other for request in theirs_whole):
                fields += ["body", "stays_open"]
            for field in fields:
                if getattr(mine, field) != getattr(other, field):
                    return f"a different {field}"
        if len(ours.requests) > len(theirs.requests) or len(ours_whole) > len(theirs_whole):
            return f"h11 finds fewer requests, and its verdict is “{theirs.end}”. {theirs.reason}"
        self.requests += len(ours_whole)
        if theirs.end == "refused":
            if ours.end != "refused":
                return f"h11 refuses the request, but our parser does not: {theirs.reason}"
            self.both_refuse += 1
        elif ours.end == "refused":
            # h11 parses a header only when the header is complete.
            counter = self.stricter if len(theirs_whole) > len(ours_whole) else self.earlier
            counter[ours.reason.split(" ")[0]] += 1
        elif ours.end != theirs.end or len(ours_whole) != len(theirs_whole):
            return f"h11's verdict is “{theirs.end}”, but ours is “{ours.end}”"
        elif ours.end == "waiting" and not (ours.is_whole and theirs.is_whole and ours.requests):
            self.waiting += 1
        else:
            self.both_accept += 1
        return None

    def report(self):
        lines = [
            f"{self.count} connections, {self.requests} complete requests that both parse identically",
            f"{self.both_accept} accepted by both, {self.waiting} incomplete for both, {self.both_refuse} refused by both",
            f"{self.earlier.total()} refused by our parser while h11 waits for more bytes",
            f"{self.stricter.total()} refused only by our parser:"]
        lines += [f"  {number:7} {reason}" for reason, number in self.stricter.most_common()]
        answers = ", ".join(f"{status}: {number}" for status, number in sorted(self.statuses.items()))
        lines.append(f"Statuses of the refusals: {answers}")
        lines.append(f"{len(self.differences)} differences")
        shown = collections.Counter()
        for difference, stream, theirs, ours in self.differences:
            shown[difference] += 1
            if shown[difference] <= SHOWN:
                lines += [f"- {difference}", f"  {stream!r}", f"  h11:  {theirs}", f"  ours: {ours}"]
        lines += [f"  {number:7} {difference}" for difference, number in shown.most_common()]
        return "\n".join(lines)


def whole(verdict):
    return verdict.requests if verdict.is_whole else verdict.requests[:-1]
