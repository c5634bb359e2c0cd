"""Clients that read nothing, against a clinic of 10,000 clinicians with a gigabyte of memory.

FAULT_SECONDS says how long each attack lasts: 15 unless given; 300 for the figures of docs/RELIABILITY.md.
"""

import json
import multiprocessing
import os
import re
import shutil
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from service import ROOT, Service, expect

SECONDS = float(os.environ.get("FAULT_SECONDS", "15"))
CLINICIANS = 10_000
MEMORY = 1_000_000_000
# A separate process: others must not wait for this program's lock.
PROCESSES = multiprocessing.get_context("fork")
CGROUPS = Path("/sys/fs/cgroup/memory")
AVAILABILITY = "/v1/availability?state=CA"
# How long others may wait, in milliseconds: in a long run by the clock. The short runs judge an unoptimized program beside other
# work, so they find a stall alone: they count what the service itself worked until it answered. A wave of an attack is 2 to 4 s of work.
IS_LONG = SECONDS >= 60
SLOW = 100 if IS_LONG else 10_000
# What a service that was attacked once keeps above one that never was, in megabytes; further attacks add nothing to it.
WARM = 32
ASKING = 32


def large_clinic(folder):
    """The demo's clinicians many times, each with its own name, id and hours."""
    content = folder / "large"
    (content / "providers").mkdir(parents=True)
    (content / "availability").mkdir()
    for name in ["directory.toml", "appointment-types.toml", "insurances.toml", "logo.png", "share.png"]:
        shutil.copy(ROOT / "content" / name, content)
    shutil.copytree(ROOT / "content/holidays", content / "holidays")
    models = []
    for path in sorted((ROOT / "content/providers").glob("*.toml")):
        hours = ROOT / "content/availability" / path.name
        profile = re.sub(r"(?m)^(headshot|npi|former-slugs|sort-name) *=.*\n", "", path.read_text())
        models.append((profile, hours.read_text() if hours.exists() else None))
    letters = "abcdefghijklmnopqrstuvwxyz"
    for nth in range(CLINICIANS):
        profile, hours = models[nth % len(models)]
        word = "".join(letters[nth // 26**power % 26] for power in range(3))
        profile = re.sub(r'(?m)^id *= *".*"', f'id = "prov-{nth:06}"', profile)
        profile = re.sub(r'(?m)^display-name *= *"(\S+).*"', rf'display-name = "\1 {word.title()}"', profile)
        (content / "providers" / f"clinician-{nth:06}.toml").write_text(profile)
        if hours is not None:
            (content / "availability" / f"clinician-{nth:06}.toml").write_text(hours)
    return content


def frame(kind, flags, stream, payload):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def fields(*pairs):
    """Header fields as HPACK literals that are not indexed."""
    text = lambda value: (
        bytes([len(value)]) if len(value) < 127 else b"\x7f" + number(len(value) - 127)
    ) + value.encode()
    return b"".join(b"\0" + text(name) + text(value) for name, value in pairs)


def number(rest):
    """The further bytes of an HPACK integer."""
    out = b""
    while rest >= 128:
        out += bytes([rest % 128 + 128])
        rest //= 128
    return out + bytes([rest])


def over_http2(address, requests):
    """The bytes of a connection that allows no response body, with a stream for each request."""
    window_of_zero = frame(4, 0, 0, b"\0\4\0\0\0\0")
    out = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + window_of_zero
    for nth, (method, path, body) in enumerate(requests):
        head = [(":method", method), (":scheme", "http"), (":path", path), (":authority", address)]
        if body:
            head += [("content-type", "application/json"), ("accept", "application/json, text/event-stream")]
        stream = 2 * nth + 1
        out += frame(1, 4 if body else 5, stream, fields(*head))
        if body:
            out += frame(0, 1, stream, body)
    return out


def batch():
    arguments = {"name": "search_providers", "arguments": {"limit": 100}}
    call = lambda nth: {"jsonrpc": "2.0", "id": nth, "method": "tools/call", "params": arguments}
    return json.dumps([call(nth) for nth in range(20)]).encode()


def plain(nth):
    return f"/v1/providers?limit=100&offset={nth * 7 % CLINICIANS}"


class Attack:
    """Connections that send what they have and read nothing. One that is closed, or has reached its age in seconds, is opened again."""

    def __init__(self, service, connections, sent, renewed=float("inf")):
        self.address, self.connections, self.sent, self.renewed = service.address, connections, sent, renewed
        self.done, self.count = PROCESSES.Event(), PROCESSES.Value("i", 0)
        self.process = PROCESSES.Process(target=self.run, daemon=True)

    @property
    def opened(self):
        return self.count.value

    def run(self):
        host, port = self.address.split(":")
        held = []
        while not self.done.is_set():
            while len(held) < self.connections and not self.done.is_set():
                try:
                    connection = socket.socket()
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    connection.settimeout(2)
                    connection.connect((host, int(port)))
                    connection.sendall(self.sent(self.opened))
                    connection.setblocking(False)
                    held.append((time.monotonic(), connection))
                except OSError:
                    break
                self.count.value += 1
            oldest, kept = time.monotonic() - self.renewed, []
            for begin, connection in held:
                if begin >= oldest and is_open(connection):
                    kept.append((begin, connection))
                else:
                    connection.close()
            held = kept
            self.done.wait(0.2)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.process.join()


def is_open(connection):
    """Whether the other side has neither closed nor reset. Peeking leaves the bytes where they are."""
    try:
        return connection.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        connection.close()
        return False


@contextmanager
def within(memory, process):
    """A limit on the memory of a process, in bytes, where this machine lets one set it."""
    group = CGROUPS / f"nameplate-fault-{process.pid}"
    try:
        group.mkdir()
        (group / "memory.limit_in_bytes").write_text(str(memory))
        (group / "cgroup.procs").write_text(str(process.pid))
    except OSError:
        yield "no limit could be set, so the peak alone is held"
        return
    try:
        yield f"limited to {memory / 1e6:.0f} MB"
    finally:
        (CGROUPS / "cgroup.procs").write_text(str(process.pid))
        group.rmdir()


def resident(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def worked(process):
    """The processor time that it has used, in seconds."""
    user, system = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def others(service, until):
    """What others get in the meantime: how long each right answer took, in milliseconds by the clock and of the service's
    work, and the number of honest refusals."""
    times, refused = [], 0
    while time.monotonic() < until:
        begin, work = time.monotonic(), worked(service.process)
        status, headers, _ = service.get(AVAILABILITY, seconds=30)
        took = ((time.monotonic() - begin) * 1000, (worked(service.process) - work) * 1000)
        health = service.get("/healthz", seconds=30)[0]
        expect(health == 200, f"the health check is answered by {health}")
        if status == 200:
            times.append(took)
        else:
            expect(status == 503 and headers.get("Retry-After"), f"others get {status}")
            refused += 1
        time.sleep(0.02)
    return times, refused


def all_work(service):
    """Others go on asking, many at once: a thread gives memory back when it next works, and one client alone keeps one thread busy."""
    with ThreadPoolExecutor(ASKING) as clients:
        return all(status == 200 for status, _, _ in clients.map(lambda _: service.get(AVAILABILITY), range(ASKING)))


def withstands(service, name, connections, sent, renewed=float("inf")):
    """Attacks for a while; returns the figures."""
    for _ in range(20):
        service.get(AVAILABILITY)
    before = resident(service.process)
    with Attack(service, connections, sent, renewed) as attack:
        times, refused = others(service, time.monotonic() + SECONDS)
        during = resident(service.process)
    expect(service.process.poll() is None, f"{name} ended the service")
    expect(attack.opened >= connections, f"{name}: {attack.opened} connections were opened")
    expect(len(times) >= refused, f"{name}: {refused} of {len(times) + refused} others are refused")
    slow, work = (sorted(one)[int(len(one) * 0.99)] for one in zip(*times))
    expect((slow if IS_LONG else work) <= SLOW, f"{name}: others wait for {slow:.0f} ms, {work:.0f} ms of work")
    service.until(lambda: service.get(AVAILABILITY)[0] == 200, 60, f"{name}: it does not recover")
    most = before * 1.1 + WARM
    is_back = lambda: all_work(service) and resident(service.process) <= most
    service.until(is_back, 60, f"{name}: its memory does not come back")
    after = resident(service.process)
    return (
        f"{name}: p99 {slow:.0f} ms and {work:.0f} ms of work, {refused} of {len(times) + refused} refused, {attack.opened} connections, "
        f"{before:.0f} MB, {during:.0f} MB at the end, {after:.0f} MB after"
    )


def unread_answers(nameplate, folder):
    """clients that read nothing, over HTTP/2 and HTTP/1.1: alive, others answered or honestly refused, memory comes back"""
    with Service(nameplate, folder, large_clinic(folder)) as service, within(MEMORY, service.process) as limit:
        address = service.address
        calls = over_http2(address, [("POST", "/api/mcp", batch())] * 64)
        lists = lambda nth: over_http2(address, [("GET", plain(nth * 64 + at), b"") for at in range(64)])
        old = lambda nth: "".join(f"GET {plain(nth + at)} HTTP/1.1\r\nhost: {address}\r\n\r\n" for at in range(30)).encode()
        figures = [
            withstands(service, "2 connections of batches", 2, lambda _: calls),
            withstands(service, "60 connections of lists", 60, lists),
            withstands(service, "300 connections of HTTP/1.1", 300, old),
        ]
        peak = service.peak()
        expect(peak * 1e6 < MEMORY, f"it took {peak:.0f} MB")
    return f"{'; '.join(figures)}; peak {peak:.0f} MB, {limit}"


def unread_log(nameplate, folder):
    """the log goes into a pipe without a reader: everything is answered, drops are counted, and it ends when asked"""
    reader, writer = os.pipe()
    with Service(nameplate, folder, ROOT / "content", log=writer, arguments=["--access-log"]) as service:
        os.close(writer)
        for _ in range(8_000):
            status = service.get("/v1/states")[0]
            expect(status == 200, f"it answers {status}")
        metrics = service.get("/metrics", admin=True)[2].decode()
        dropped = re.search(r"^nameplate_log_lines_dropped_total (\d+)", metrics, re.M)
        expect(dropped and int(dropped.group(1)) > 0, "dropped lines are not counted")
    os.close(reader)
    return f"{dropped.group(1)} lines dropped"


PRESSURE = {"unread-answers": unread_answers, "unread-log": unread_log}
