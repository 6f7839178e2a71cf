"""What a reader makes of the bytes of a connection."""

import dataclasses


@dataclasses.dataclass
class Request:
    method: bytes
    target: bytes
    version: str
    headers: list  # (name in lower case, value)
    body: bytes = b""
    stays_open: bool = False


@dataclasses.dataclass
class Verdict:
    # The last one has no end if `is_whole` is false.
    requests: list
    is_whole: bool
    # "refused", "waiting" (more bytes are needed) or "closed" (nothing more is read).
    end: str
    reason: str = ""
    # Whether the requests were others when the bytes came in pieces.
    is_cut: bool = False
