"""A keyboard, and a window with selected text, for desktops that run without a display. Used by Scripts/lib/desktop-selection.

Usage: client.py offer TEXT      offers the text as the primary selection, through the Wayland protocol wlr-data-control (KWin, sway)
       client.py keys kde        presses keys through KWin's protocol for fake input
       client.py keys gnome      presses keys through Mutter's remote desktop, which is a D-Bus service

`keys` prints "ready" and then presses the keys of each line of standard input together, such as "super f9".
"""
import array
import os
import socket
import struct
import sys

CODES = {"super": 125, "f9": 67}
TYPES = ("text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "STRING", "TEXT")


class Wayland:
    """The messages of a connection to the compositor. Object 1 is the display and object 2 the registry."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
        self.buffer, self.descriptors, self.names = b"", [], {}
        self.send(1, 1, 2)
        self.send(1, 0, 3)
        for sender, event, body in self.events():
            if (sender, event) == (2, 0):
                name, size = struct.unpack_from("<II", body)
                self.names[body[8 : 8 + size - 1].decode()] = name
            elif sender == 3:
                break

    def send(self, receiver, request, *arguments):
        body = b"".join(map(self.encode, arguments))
        self.socket.sendall(struct.pack("<II", receiver, len(body) + 8 << 16 | request) + body)

    @staticmethod
    def encode(argument):
        if isinstance(argument, int):
            return struct.pack("<I", argument)
        text = argument.encode() + b"\0"
        return struct.pack("<I", len(text)) + text + b"\0" * (-len(text) % 4)

    def bind(self, interface, version, new):
        if interface not in self.names:
            sys.exit(f"The compositor does not offer {interface}.")
        self.send(2, 0, self.names[interface], interface, version, new)

    def events(self):
        while True:
            while len(self.buffer) >= 8:
                sender, word = struct.unpack_from("<II", self.buffer)
                size = word >> 16
                if len(self.buffer) < size:
                    break
                body, self.buffer = self.buffer[8:size], self.buffer[size:]
                if (sender, word & 0xFFFF) == (1, 0):
                    sys.exit(f"The compositor reported an error: {body}")
                yield sender, word & 0xFFFF, body
            data, extras, _, _ = self.socket.recvmsg(65536, 1024)
            if not data:
                return
            self.buffer += data
            for _, kind, part in extras:
                if kind == socket.SCM_RIGHTS:
                    self.descriptors.extend(array.array("i", part))


def offer(text):
    wayland, (seat, manager, source, device) = Wayland(), range(4, 8)
    wayland.bind("wl_seat", 1, seat)
    wayland.bind("zwlr_data_control_manager_v1", 2, manager)
    wayland.send(manager, 0, source)
    for kind in TYPES:
        wayland.send(source, 0, kind)
    wayland.send(manager, 1, device, seat)
    wayland.send(device, 2, source)
    wayland.send(1, 0, 8)
    for sender, event, _ in wayland.events():
        if sender == 8:
            print("ready", flush=True)
        elif (sender, event) == (source, 0):
            with open(wayland.descriptors.pop(0), "wb") as receiver:
                receiver.write(text)


def kde():
    wayland = Wayland()
    wayland.bind("org_kde_kwin_fake_input", 4, 4)
    wayland.send(4, 0, "test", "test")
    return lambda code, is_down: wayland.send(4, 10, code, int(is_down))


def gnome():
    from gi.repository import Gio, GLib

    bus, name = Gio.bus_get_sync(Gio.BusType.SESSION), "org.gnome.Mutter.RemoteDesktop"

    def call(path, interface, method, arguments=None):
        return bus.call_sync(name, path, interface, method, arguments, None, 0, 20000, None)

    session = call("/org/gnome/Mutter/RemoteDesktop", name, "CreateSession").unpack()[0]
    call(session, f"{name}.Session", "Start")

    def press(code, is_down):
        arguments = GLib.Variant("(ub)", (code, is_down))
        call(session, f"{name}.Session", "NotifyKeyboardKeycode", arguments)

    # The first key press adds the virtual keyboard.
    press(42, True)
    press(42, False)
    return press


def keys(press):
    print("ready", flush=True)
    for line in sys.stdin:
        codes = [CODES[word] for word in line.split()]
        for code in codes:
            press(code, True)
        for code in reversed(codes):
            press(code, False)


if sys.argv[1] == "offer":
    offer(sys.argv[2].encode())
else:
    keys(kde() if sys.argv[2] == "kde" else gnome())
