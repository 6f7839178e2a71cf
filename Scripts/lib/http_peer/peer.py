"""Uses h11 from PyPI, in a separate environment below `.build`."""

import os
import sys

import pinned
from http_peer.verdict import Request, Verdict

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PINNED = {"h11": "0.16.0"}
FOLDER = os.path.join(ROOT, ".build", "http-peers")


def prepare():
    """Installs the pinned version, and makes it importable."""
    pinned.install(FOLDER, pinned.names(PINNED))
    sys.path.insert(0, pinned.site_of(FOLDER))


def ask(stream):
    """Returns h11's verdict. Each request gets the response 404, so that none can switch to another protocol."""
    import h11

    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=16 << 10)
    found, is_whole = [], True
    try:
        connection.receive_data(stream)
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                found.append(Request(event.method, event.target, event.http_version.decode(), list(event.headers)))
                is_whole = False
            elif isinstance(event, h11.Data):
                found[-1].body += event.data
            elif isinstance(event, h11.EndOfMessage):
                is_whole = True
                connection.send(h11.Response(status_code=404, headers=[("content-length", "0")]))
                connection.send(h11.EndOfMessage())
                found[-1].stays_open = connection.our_state is h11.DONE
                if not found[-1].stays_open:
                    return Verdict(found, is_whole, "closed")
                connection.start_next_cycle()
            elif event is h11.NEED_DATA:
                return Verdict(found, is_whole, "waiting")
            else:
                raise AssertionError(event)
    except h11.RemoteProtocolError as error:
        return Verdict(found, is_whole, "refused", str(error).split(":")[0])
