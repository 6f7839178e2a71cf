"""Checks the position of the player in the window."""

import struct
import zlib

from page_driver import need

PLACE = """
const { left, right, top } = document.getElementById("player").getBoundingClientRect();
const { clientWidth, scrollHeight } = document.documentElement;
return [left, right, top, clientWidth, scrollHeight > innerHeight];"""


def spans(page):
    """Checks the light and dark schemes, each with and without a scroll bar, which must not change the appearance of the player."""
    for scheme in ["light", "dark"]:
        page.media(prefers_color_scheme=scheme)
        for text, scrolls in [("Short.", False), ("A long text.\n\n" * 200, True)]:
            page.type(text)
            page.frame()
            left, right, top, room, is_long = page.run(PLACE)
            need(is_long == scrolls, f"{scheme}: the text is {'long' if is_long else 'short'}")
            need((left, right) == (0, room), f"{scheme}: the player spans {left} to {right} of {room}")
            need(scrolls or room == page.width, f"{scheme}: {page.width - room} pixels are not covered")
            # A row of pixels below the player's upper border, where there is nothing but the background.
            line = row(page.browser.get_screenshot_as_png(), page.height - 4)
            need(top < page.height - 8 and len(set(line)) == 1, f"{scheme}: a row of the player has the colors {sorted(set(line))}")
    page.media()
    page.run("document.getElementById('new-text').click()")


def row(png, number):
    """Returns the colors of a row of pixels, with eight bits each for red, green, blue and possibly alpha."""
    place, head, data = 8, None, b""
    while place < len(png):
        size, kind = struct.unpack(">I4s", png[place:place + 8])
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", png[place + 8:place + 8 + size])
        if kind == b"IDAT":
            data += png[place + 8:place + 8 + size]
        place += size + 12
    width, _, bits, colours, _, _, interlace = head
    need((bits, interlace) == (8, 0) and colours in (2, 6), f"the picture has an unsupported format: {head}")
    step = 3 if colours == 2 else 4
    lines, above = zlib.decompress(data), bytes(width * step)
    for y in range(number + 1):
        start = y * (width * step + 1)
        above = unfiltered(lines[start], lines[start + 1:start + 1 + width * step], above, step)
    return [tuple(above[x:x + 3]) for x in range(0, len(above), step)]


def unfiltered(kind, line, above, step):
    """Removes the filter from a row of a PNG (PNG specification, 9.2)."""
    if kind == 0:
        return line
    if kind == 2:
        return bytes((one + up) & 255 for one, up in zip(line, above))
    made = bytearray(line)
    for x in range(len(made)):
        left, up = made[x - step] if x >= step else 0, above[x]
        if kind == 1:
            made[x] = (made[x] + left) & 255
        elif kind == 3:
            made[x] = (made[x] + (left + up) // 2) & 255
        else:
            corner = above[x - step] if x >= step else 0
            near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            made[x] = (made[x] + near) & 255
    return bytes(made)
