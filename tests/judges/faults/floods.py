"""Floods over HTTP/2, against a clinic of 10,000 clinicians: heads that are small on the wire and large in memory, and
control frames. The service has half of the memory that the shipped unit allows.

FAULT_SECONDS says how long each attack with heads lasts: 15 unless given; 300 for the figures of docs/RELIABILITY.md.
"""

import re
import socket
import threading

from pressure import fields, frame, large_clinic, plain, within, withstands
from service import ROOT, Service, expect

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
CONNECTIONS, STREAMS = 300, 64
# A connection is renewed after this many seconds: its requests are answered, or time out.
RENEWED = 5
END_STREAM, END_HEADERS = 1, 4
# HPACK: a field is put into the dynamic table, from where it is repeated by one byte. 700 of them are a head of 23 KB.
INSERTED, REPEATED, REPEATS = b"\x40\1x\0", b"\xbe", 700


def half_of_the_unit():
    unit = (ROOT / "deploy/nameplate.service").read_text()
    return int(re.search(r"(?m)^MemoryMax=(\d+)M$", unit).group(1)) * 2**20 // 2


def head(address, method, path, *more):
    """The fields of a request, without compression."""
    posted = [("content-type", "application/json")] if method == "POST" else []
    named = [(":method", method), (":scheme", "http"), (":path", path), (":authority", address)]
    return fields(*named, *posted, *more)


def connection(heads, flags, settings=b"", trailers=b""):
    """The bytes of a connection: a stream for each head, and the trailers of each."""
    out = PREFACE + frame(4, 0, 0, settings)
    for nth, block in enumerate(heads):
        out += frame(1, flags, 2 * nth + 1, block)
    if trailers:
        out += b"".join(frame(1, END_STREAM | END_HEADERS, 2 * nth + 1, trailers) for nth in range(len(heads)))
    return out


def shapes(address):
    """The attacks by their names: the bytes of the n-th connection."""
    post = head(address, "POST", "/api/mcp")
    first, further = post + INSERTED + REPEATED * (REPEATS - 1), post + REPEATED * REPEATS
    tiny = connection([first] + [further] * (STREAMS - 1), END_HEADERS)
    large = connection([head(address, "POST", "/api/mcp", ("x-large", "y" * 15_000))] * STREAMS, END_HEADERS)
    short = connection([post + INSERTED] + [post] * (STREAMS - 1), END_HEADERS, trailers=REPEATED * REPEATS)
    unfinished = connection([first], 0)
    no_window = b"\0\4\0\0\0\0"

    def unread(nth):
        lists = [plain(nth * STREAMS + at) for at in range(STREAMS)]
        heads = [head(address, "GET", path, ("x-large", "y" * 2_000)) for path in lists]
        return connection(heads, END_STREAM | END_HEADERS, no_window)

    return {
        "700 fields": lambda _: tiny,
        "15 KB": lambda _: large,
        "unread answers": unread,
        "trailers": lambda _: short,
        "unfinished heads": lambda _: unfinished,
    }


def heads(nameplate, folder):
    """heads, trailers and answers of 19,200 streams: alive, others answered in time or honestly refused, memory comes back"""
    memory = half_of_the_unit()
    with Service(nameplate, folder, large_clinic(folder)) as service, within(memory, service.process) as limit:
        attacks = shapes(service.address).items()
        figures = [withstands(service, name, CONNECTIONS, sent, RENEWED) for name, sent in attacks]
        peak = service.peak()
        expect(peak * 2**20 < memory, f"it took {peak:.0f} MB")
    return f"{'; '.join(figures)}; peak {peak:.0f} MB, {limit}"


CONTROL = {
    "PING": frame(6, 0, 0, bytes(8)),
    "SETTINGS": frame(4, 0, 0, b"\0\4\0\0\xff\xff"),
    "WINDOW_UPDATE": frame(8, 0, 0, b"\0\0\0\1"),
    "PRIORITY": frame(2, 0, 1, bytes(5)),
    "an unknown type": frame(99, 0, 0, bytes(8)),
}


def flooded(address, control, most):
    """How many control frames a connection takes, in thousands, while what is answered is read."""
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), 20) as stream:
        reading = threading.Thread(target=drained, args=(stream,), daemon=True)
        reading.start()
        burst, bursts = control * 1_000, 0
        try:
            stream.sendall(PREFACE + frame(4, 0, 0, b""))
            while bursts < most:
                stream.sendall(burst)
                bursts += 1
        except OSError:
            pass
        return bursts


def drained(stream):
    try:
        while stream.recv(65_536):
            pass
    except OSError:
        pass


def control_frames(nameplate, folder):
    """a million control frames of each kind on one connection: it is closed long before, and others are served"""
    most = 1_000
    with Service(nameplate, folder, ROOT / "content") as service:
        for name, control in CONTROL.items():
            bursts = flooded(service.address, control, most)
            expect(bursts < most, f"{bursts},000 frames of {name} are taken")
        status = service.get("/v1/states")[0]
        expect(status == 200, f"others are answered by {status}")
    return f"closed: {', '.join(CONTROL)}"


FLOODS = {"heads": heads, "control-frames": control_frames}
