"""Generates valid, unusual and damaged requests."""

import random

METHODS = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "X-A", "get", "CONNECT", "TRACE"]
ODD_METHODS = ["", "G T", "G(T", "GE\u00dfT", "GET ", " GET", "A" * 40, "G\tT", "{}", "PRI"]
PATHS = ["/", "/health", "/v1/audio/speech", "/api/voices/en_US-a", "/a%20b", "/%E2%82%AC", "/~x;y=1/", "/a+b", "/*"]
ODD_PATHS = [
    "*", "", "http://h/x", "h:80", "//x", "/a//b", "/..", "/a/../b", "/%2e%2e/x", "/.", "/%00", "/%0d%0a",
    "/a%2Fb", "/%",
    "/%4", "/%zz", "/%ff", "/%c0%80", "/a\\b", "/a#b", "/a b", "/a\x01", "/\u00e9", "/<x>", "/a\x7f", "/" + "a" * 9000]
QUERIES = ["", "", "", "?", "?a=1", "?a=1&b=%C3%A4+x", "?a", "?q={x}|y", "?a==b", "?x[]=1"]
ODD_QUERIES = ["?a=1&a=2", "?a=%", "?%ff", "?a=%00", "?a#b", '?"', "?a b", "?" + "&".join(f"a{n}" for n in range(70))]
VERSIONS = ["HTTP/1.1"] * 12 + ["HTTP/1.0"] * 2
ODD_VERSIONS = ["HTTP/2.0", "HTTP/1.2", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", "HTTP/11", "HTTP/1.10", "", "HTTP/1,1"]
HOSTS = ["localhost:8880", "127.0.0.1:8880", "[::1]:8880", "speech.example"]
ODD_HOSTS = ["", "a b", "a@b", "a:", "a:99999", "[::1", "a/b", "127.1", "a,b", "a..b", "\u00e9"]
HEADERS = [
    ("Accept", "*/*"), ("accept-language", "de-CH, de;q=0.7, en"), ("User-Agent", "curl/7.88.1"), ("X-A", ""),
    ("Cookie", "a=b; c=d"), ("Authorization", "Bearer abcdefghijklmnop"), ("X-Text", "Gr\u00fc\u00dfe"),
    ("X-Tab", "a\tb"),
    ("Connection", "keep-alive"), ("Connection", "close"), ("Connection", "Upgrade"), ("Upgrade", "websocket"),
    ("Expect", "100-continue"), ("Origin", "null"), ("TE", "trailers"), ("Trailer", "x-a"), ("X_under.score~", "1")]
ODD_HEADERS = [
    ("Connection", "close, , keep-alive"), ("Connection", "a b"), ("Connection", "CLOSE"), ("Expect", "200-ok"),
    ("X A", "1"), ("X-A ", "1"), (" X-A", "1"), ("", "1"), ("X(", "1"), ("X\u00e9", "1"), ("X-\0", "1"),
    ("X-A", "a\0b"), ("X-A", "a\rb"), ("X-A", "a\nb"), ("X-A", "a\x0bb"), ("X-A", "a\x7fb"), ("X-A", "a\r\n b"),
    ("X-A", "a\r\n\tb"),
    ("Transfer-Encoding", "gzip, chunked"), ("Transfer-Encoding", "identity"), ("Transfer-Encoding", "xchunked"),
    ("Transfer-Encoding", "chun\u212aed"), ("Transfer-Encoding", "chunked"), ("Content-Length", "0"),
    ("Content-Length", "5"), ("Content-Length", "5, 5"), ("Content-Length", "+5"), ("Content-Length", "-5"),
    ("Content-Length", "5 5"), ("Content-Length", "0x5"), ("Content-Length", ""),
    ("Content-Length", "9" * 19), ("Content-Length", "9" * 30),
    ("X-Big", "b" * 17000), ("Transfer_Encoding", "chunked"), ("Content-Length", "\u0665"), ("Host", "evil.example"),
    ("X-Latin", b"\xff\xfe")]
PIECES = [
    b"\r", b"\n", b"\r\n", b"\r\n\r\n", b"\0", b" ", b"\t", b":", b",", b";", b"%", b"\x7f", b"\xff", b"\x0b",
    b"0\r\n\r\n", b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: a\r\n",
    b"GET / HTTP/1.1\r\n", b"HTTP/1.1", b"5\r\n", b"\r\n ", b"-", b"00", b"f", b"chunked", b"close", b"../",
    b"%00", b"//"]


def stream(seed, number):
    """Returns the bytes of a connection: one or more requests, damaged half of the time."""
    source = random.Random(f"{seed} {number}")
    # The probability that a part is unusual.
    oddness = source.choice([0, 0, 0, 0.02, 0.05])
    made = b"".join(request(source, oddness) for _ in range(source.choice([1, 1, 1, 2, 3])))
    for _ in range(source.choice([0, 0, 0, 0, 1, 1, 2, 4])):
        made = damaged(source, made)
    # To h11, empty input means that the connection has ended.
    return made or b"G"


def request(source, oddness):
    def pick(usual, odd):
        return source.choice(odd if source.random() < oddness else usual)

    end = pick(["\r\n"], ["\n", "\r", "\r\n\r\n", "\r\r\n"])
    target = pick(PATHS, ODD_PATHS) + pick(QUERIES, ODD_QUERIES)
    start = pick(METHODS, ODD_METHODS) + pick([" "], ["  ", "\t", ""])
    lines = [octets(f"{start}{target} {pick(VERSIONS, ODD_VERSIONS)}")]
    headers = [source.choice(HEADERS) for _ in range(source.choice([0, 1, 2, 3, 5]))]
    if source.random() < oddness:
        headers.append(source.choice(ODD_HEADERS))
    if source.random() < oddness / 8:
        headers += [("X-Many", "1")] * source.randint(55, 80)
    if source.random() >= oddness:
        headers.append(("Host", pick(HOSTS, ODD_HOSTS)))
    body = b""
    kind = source.random()
    if kind < 0.3:
        body = source.randbytes(source.choice([0, 1, 5, 60, 2000]))
        length = len(body) if source.random() >= oddness else source.randint(0, 3000)
        headers.append((source.choice(["Content-Length", "content-length"]), f"{length}"))
    elif kind < 0.6:
        body = chunks(source, oddness)
        codings = ["chunked, chunked", "chunke", "chunked;x=1"]
        headers.append(("Transfer-Encoding", pick(["chunked", "Chunked"], codings)))
        if source.random() < oddness:
            headers.append(("Content-Length", f"{source.choice([0, 5, len(body)])}"))
    source.shuffle(headers)
    for name, value in headers:
        colon = pick([":", ": ", ": ", ":\t "], [" :", "", " : ", "::"])
        blank = pick(["", "", " ", "\t"], ["\v", "\0", "\r"])
        lines.append(octets(name) + octets(colon) + octets(value) + octets(blank))
    return octets(end).join(lines) + octets(end) + octets(pick(["\r\n"], ["\n", "\r", "\r\n\r\n"])) + body


def chunks(source, oddness):
    def pick(usual, odd):
        return source.choice(odd if source.random() < oddness else usual)

    made = b""
    for _ in range(source.choice([0, 1, 2, 4])):
        data = source.randbytes(source.choice([1, 2, 17, 300]))
        size = pick([f"{len(data):x}", f"{len(data):X}", f"00{len(data):x}"], ["", "-1", "0x5", "g", "f" * 30, " 5"])
        extension = pick(
            ["", "", "", ";a=b", ';a="x;y"'], [" ", " ;a", ";\n", ";\x01", "a", "\t", ";" + "e" * 5000, ";\u00e9"])
        made += octets(size + extension) + octets(pick(["\r\n"], ["\n", "\r", ""]))
        made += data + octets(pick(["\r\n"], ["\n", "", "\r\r", "ab", "\r\n\r\n"]))
    made += octets(pick(["0", "0", "000"], ["", "0" * 23, "0;x", "0 "])) + octets(pick(["\r\n"], ["\n"]))
    for _ in range(source.choice([0, 0, 0, 1, 2])):
        made += octets(pick(
            ["X-Sum: abc\r\n", "x:\r\n"],
            [
                "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "X : 1\r\n", " x\r\n", "X: 1\n",
                "Host: a\r\n", "x\r\n"]))
    return made + octets(pick(["\r\n"], ["\n", "", "\r"]))


def damaged(source, made):
    """Returns the bytes, some of them changed, removed, inserted, repeated or truncated."""
    place = source.randrange(len(made) + 1)
    # Most errors are possible in headers.
    if source.random() < 0.6:
        place = min(place, source.randrange(200))
    length = source.choice([1, 1, 2, 8, 40])
    kind = source.randrange(6)
    if kind == 0:
        return made[:place] + source.choice(PIECES) + made[place:]
    if kind == 1:
        return made[:place] + made[place + length :]
    if kind == 2:
        return made[:place] + source.randbytes(length) + made[place + length :]
    if kind == 3:
        return made[:place] + made[place : place + length] * source.choice([2, 3]) + made[place + length :]
    if kind == 4:
        return made[:place] + source.choice(PIECES) + made[place + length :]
    return made[:place] if source.random() < 0.3 else made[:place] + bytes([source.randrange(256)]) + made[place + 1 :]


def octets(text):
    return text if isinstance(text, bytes) else text.encode()
