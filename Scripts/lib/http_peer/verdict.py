"""A parser's verdict on the bytes of a connection."""

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
    # The last request is incomplete if `is_whole` is false.
    requests: list
    is_whole: bool
    # "refused", "waiting" (for more bytes) or "closed" (nothing more is read).
    end: str
    reason: str = ""
    # Whether the requests differed when the bytes arrived in chunks.
    is_cut: bool = False
