#!/usr/bin/env python3
"""Mixed questions for minutes while the content is edited: each answer must be right, and memory must not grow on.

    tests/judges/faults/soak.py NAMEPLATE [SECONDS]

SECONDS is 600 if it is not given. Prints a line with figures; exit 1 if an answer was wrong, or if memory or open
files do not return to what they were. Standard library only.
"""

import http.client
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from faults import CLINICIAN, Publisher, Service, Wrong, copy_of_content, expect, rename

CLIENTS = 8
# What the allocator may keep beyond the warm service. Twenty minutes of attacks left 80 MB.
ROOM_MB = 96
READS = ["/v1/states", "/v1/insurances?state=CA", "/v1/appointment-types", "/v1/providers", f"/v1/providers/{CLINICIAN}",
         "/v1/providers?state=NY&limit=5", "/v1/providers?gender=female&limit=3&offset=2"]
SLOTS = ["/v1/availability?state=CA&limit=20", "/v1/availability?state=AZ&horizonDays=14"]
REFUSED = [("/v1/providers?state=XX", 400), ("/v1/providers/nobody-here", 404), ("/v1/nothing", 404),
           ("/v1/providers?limit=x", 400), ("/v1/states?" + "a" * 20_000, 414)]
MCP = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class Soak:
    def __init__(self, service):
        self.service, self.done = service, threading.Event()
        self.asked, self.wrong, self.lock = 0, [], threading.Lock()
        # A target and a generation have one body for every client at every time.
        self.bodies = {}

    def note(self, target, why):
        with self.lock:
            self.wrong.append(f"{target}: {why}")

    def ask(self, connection, target, method="GET", headers=None, body=None):
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        self.asked += 1
        return answer.status, answer.headers, answer.read()

    def read(self, connection):
        target = random.choice(READS)
        status, headers, body = self.ask(connection, target)
        generation = headers["Nameplate-Generation"]
        if status != 200 or not body:
            return self.note(target, status)
        if self.bodies.setdefault((target, generation), body) != body:
            self.note(target, f"two bodies of generation {generation}")
        if headers["ETag"]:
            again, headers, body = self.ask(connection, target, headers={"If-None-Match": headers["ETag"]})
            if again not in (200, 304) or (again == 304 and body):
                self.note(target, f"{again} for its own tag")

    def slots(self, connection):
        target = random.choice(SLOTS)
        status, _, body = self.ask(connection, target)
        if status != 200 or "slots" not in json.loads(body):
            self.note(target, f"{status} {body[:100]}")

    def refused(self, connection):
        target, expected = random.choice(REFUSED)
        status, _, body = self.ask(connection, target)
        if status != expected or sorted(json.loads(body)) != ["code", "message"]:
            self.note(target[:60], f"{status} {body[:100]}")

    def call(self, connection):
        calls = [{"jsonrpc": "2.0", "id": id, "method": "tools/call",
                  "params": {"name": "get_provider", "arguments": {"slug": CLINICIAN}}} for id in range(4)]
        call = random.choice([calls[0], calls])
        status, _, body = self.ask(connection, "/api/mcp", "POST", MCP, json.dumps(call))
        events = [json.loads(line[5:]) for line in body.decode().splitlines() if line.startswith("data:")]
        replies = [reply for event in events for reply in (event if isinstance(event, list) else [event])]
        expected = 4 if call is calls else 1
        if status != 200 or len(replies) != expected or any(reply["result"].get("isError") for reply in replies):
            self.note("/api/mcp", f"{status} {body[:200]}")

    def leave(self, _):
        """A client that asks for much and goes away, or sends half of a head."""
        host, port = self.service.address.split(":")
        with socket.create_connection((host, int(port)), 10) as connection:
            connection.sendall(random.choice([b"GET /v1/providers?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20,
                                              b"GET /v1/states HTTP/1.1\r\nHos"]))

    def client(self):
        kinds = 6 * [self.read] + 3 * [self.slots, self.call] + [self.refused, self.leave]
        while not self.done.is_set():
            connection = http.client.HTTPConnection(self.service.address, timeout=20)
            kind = random.choice(kinds)
            try:
                for _ in range(random.randrange(1, 30)):
                    kind = random.choice(kinds)
                    kind(connection)
                    if connection.sock is None or self.done.is_set():
                        break
            except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
                self.note(kind.__name__, repr(error))
            connection.close()

    def edit(self, content):
        file = content / "providers" / f"{CLINICIAN}.toml"
        good, number = file.read_text(), 0
        while not self.done.wait(1):
            number += 1
            if number % 5:
                file.write_text(good)
                rename(content, f"Soak {number}")
                good = file.read_text()
            else:
                file.write_text(good.replace("display-name =", "display-name ", 1))
        file.write_text(good)


def figures(service):
    """Megabytes in memory and open files, as the service itself says."""
    metrics = service.get("/metrics", admin=True)[2].decode()
    figure = lambda name: float(re.search(rf"^{name} (\S+)$", metrics, re.M).group(1))
    return figure("process_resident_memory_bytes") / 1e6, int(figure("process_open_fds"))


def run(nameplate, folder, seconds):
    publisher = Publisher()
    settings = f'[feed]\nurl = "{publisher.url}"\nmode = "open"\npoll = "5s"\nfresh-for = "1m"\nmax-stale = "5m"\n'
    content = copy_of_content(folder)
    with Service(nameplate, folder, content, settings) as service:
        service.until(lambda: service.get(SLOTS[0])[0] == 200, 20, "its slots never come")
        soak, (_, files) = Soak(service), figures(service)
        threads = [threading.Thread(target=soak.client) for _ in range(CLIENTS)]
        threads.append(threading.Thread(target=soak.edit, args=[content]))
        for thread in threads:
            thread.start()
        try:
            time.sleep(seconds / 5)
            warm, _ = figures(service)
            peak, end = warm, time.monotonic() + seconds * 4 / 5
            while time.monotonic() < end:
                time.sleep(1)
                expect(service.process.poll() is None, "the service ended")
                peak = max(peak, figures(service)[0])
        finally:
            soak.done.set()
            for thread in threads:
                thread.join()
        expected = subprocess.run([nameplate, "query", "--content", content, f"/v1/providers/{CLINICIAN}"],
                                  capture_output=True, check=True).stdout
        service.until(lambda: service.get(f"/v1/providers/{CLINICIAN}")[2] == expected, 60, "the last edit is not served")
        # The connection that asks is open, and so may be the feed's.
        service.until(lambda: figures(service)[1] <= files + 2, 90, f"open files: {files} before, {figures(service)[1]} after")
        rest, _ = figures(service)
        expect(not soak.wrong, f"{len(soak.wrong)} wrong answers of {soak.asked}, such as {soak.wrong[:3]}")
        expect(len({generation for _, generation in soak.bodies}) > 2, "no edit was seen")
        expect(rest < warm + ROOM_MB, f"memory grows: {warm:.0f} MB when warm, {rest:.0f} MB after it")
    return f"{soak.asked} questions, {warm:.0f} MB when warm, {peak:.0f} MB at the most, {rest:.0f} MB after it"


def main(nameplate, seconds="600"):
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(f"soak: held for {seconds} s ({run(str(Path(nameplate).resolve()), Path(folder), float(seconds))})")
        except Wrong as why:
            print(f"soak: BROKEN ({why})")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
