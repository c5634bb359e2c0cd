"""Faults, one after another, against the built program: what breaks, and what its users meet.

    tests/judges/faults/faults.py NAMEPLATE [NAME ...]

Each prints a line. docs/RELIABILITY.md is the table of what these hold and of what isn't promised.
"""

import hashlib
import http.client
import http.server
import json
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from floods import FLOODS
from pressure import PRESSURE
from service import ROOT, Service, Wrong, copy_of_content, expect

CLINICIAN = "amara-okonkwo"
# 50 for the figures of docs/RELIABILITY.md.
RESTARTS = int(os.environ.get("FAULT_RESTARTS", "20"))


class Publisher:
    """A publisher of free slots, as SMART Scheduling Links: it can be silenced and come back."""

    def __init__(self):
        publisher = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                status, body = (503, b"") if publisher.is_down else (200, publisher.body(self.path))
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.is_down = False
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/$bulk-publish"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def body(path):
        now = datetime.now(timezone.utc)
        text = lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        if path.endswith("$bulk-publish"):
            output = [{"type": "Slot", "url": "slots.ndjson"}]
            return json.dumps({"transactionTime": text(now), "request": "/", "output": output}).encode()
        slot = {"provider": CLINICIAN, "status": "free"}
        day = (now + timedelta(days=2)).replace(minute=0, second=0)
        return json.dumps({**slot, "start": text(day), "end": text(day + timedelta(hours=2))}).encode()


def publisher_down(nameplate, folder):
    """fresh, then stale with its age, then 503 and never "nothing open"; fresh again when it is back"""
    publisher = Publisher()
    profile = subprocess.run(
        [nameplate, "query", f"/v1/providers/{CLINICIAN}"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    state = json.loads(profile)["statesAcceptingPatients"][0]
    settings = f'[feed]\nurl = "{publisher.url}"\nmode = "open"\npoll = "5s"\nfresh-for = "7s"\nmax-stale = "15s"\n'
    with Service(nameplate, folder, copy_of_content(folder), settings) as service:
        asked = f"/v1/availability?state={state}&horizonDays=30"
        status = lambda: service.get(asked)[1].get("Availability-Status")
        slots = lambda: json.loads(service.get(asked)[2] or b"{}").get("slots")
        service.until(lambda: service.get(asked)[0] == 200 and slots(), 20, "its slots never come")
        expect(status() is None, "fresh slots are called stale")
        publisher.is_down = True

        def stale():
            _, headers, body = service.get(asked)
            return headers.get("Availability-Status") == "stale" and (headers, body)

        headers, body = service.until(stale, 20, "it never says that it is stale")
        expect(json.loads(body)["slots"] and headers.get("Availability-As-Of"), "stale slots without their age")
        service.until(lambda: service.get(asked)[0] == 503, 60, "old slots are shown for ever")
        code = json.loads(service.get(asked)[2])["code"]
        expect(code == "AVAILABILITY_UNAVAILABLE", f"it says {code}")
        expect(service.get("/v1/providers")[0] == 200, "the directory went down with its publisher")
        publisher.is_down = False
        service.until(lambda: service.get(asked)[0] == 200 and status() is None, 90, "it does not come back")


def reload_storm(nameplate, folder):
    """300 edits, every third broken, while clients ask: no 5xx, one body for each generation, the last one wins"""
    content = copy_of_content(folder)
    file = content / "providers" / f"{CLINICIAN}.toml"
    text = file.read_text()
    name = re.search(r'display-name *= *"(.*)"', text)
    with Service(nameplate, folder, content) as service:
        seen, wrong, done = {}, [], threading.Event()

        def client():
            while not done.is_set():
                status, headers, body = service.get(f"/v1/providers/{CLINICIAN}")
                if status != 200 or seen.setdefault(headers["Nameplate-Generation"], body) != body:
                    wrong.append((status, body[:80]))

        clients = [threading.Thread(target=client) for _ in range(4)]
        for thread in clients:
            thread.start()
        try:
            for edit in range(300):
                named = f'display-name = "Storm {edit}"' if edit % 3 else "display-name = "
                file.write_text(text.replace(name.group(0), named))
                time.sleep(random.random() * 0.03)
            expected = subprocess.run(
                [nameplate, "query", "--content", content, f"/v1/providers/{CLINICIAN}"], capture_output=True, check=True
            ).stdout
            service.until(
                lambda: service.get(f"/v1/providers/{CLINICIAN}")[2] == expected, 60, "the last edit is not served"
            )
        finally:
            done.set()
            for thread in clients:
                thread.join()
        expect(not wrong, f"{len(wrong)} wrong answers, such as {wrong[:1]}")
        expect(len(seen) > 1, "no edit was seen")
    return f"{len(seen)} generations were seen"


def overload(nameplate, folder):
    """four times as many connections as it takes: refused at once with 503, served again when they are gone"""
    # A connection that rests for a second makes way for a new one. These send a part of a body, so they do not rest.
    part = b"POST /api/mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"
    settings = '[limits]\nconnections = 50\nbody = "10m"\nanswer = "10m"\n'
    with Service(nameplate, folder, ROOT / "content", settings) as service:
        held = []
        for _ in range(200):
            connection = socket.create_connection(service.address.split(":"), 20)
            held.append(connection)
            try:
                connection.sendall(part)
            except OSError:
                pass  # It is refused already.

        def refuses_at_once():
            begin = time.monotonic()
            return service.get("/v1/states")[0] in (0, 503) and time.monotonic() - begin < 1

        service.until(refuses_at_once, 30, "the cap does not hold, or it does not refuse at once")
        expect(service.get("/readyz", admin=True)[0] == 200, "operators cannot ask while it is full")
        for connection in held:
            connection.close()
        service.until(lambda: service.get("/v1/states")[0] == 200, 60, "it does not recover")
        metrics = service.get("/metrics", admin=True)[2].decode()
        shed = re.search(r"^nameplate_connections_shed_total (\d+)", metrics, re.M)
        expect(shed and int(shed.group(1)) >= 100, f"shed connections are not counted: {shed}")
    return f"{shed.group(1)} refused"


def memory_ceiling(nameplate, folder):
    """hundreds of slow, large and nested requests at once: well below the unit's MemoryMax of 1 GB"""
    with Service(nameplate, folder, ROOT / "content") as service:
        before = service.peak()
        host, port = service.address.split(":")
        nested = b"[" * 100_000
        requests = [
            b"GET /v1/states HTTP/1.1\r\nhost: localhost\r\nx-long: " + b"a" * 16_000,
            b"POST /api/mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            b"content-length: 250000\r\n\r\n" + nested,
            b"GET /v1/providers?limit=100 HTTP/1.1\r\nhost: localhost\r\n\r\n" * 50,
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0" + b"\0\0\0\1\5\0\0\0\1" * 1000,
        ]
        held = []
        for nth in range(1_200):
            connection = socket.create_connection((host, int(port)), 20)
            connection.settimeout(0.2)
            held.append(connection)
            try:
                connection.sendall(requests[nth % len(requests)])
            except OSError:
                pass
        expect(service.get("/v1/states")[0] == 200, "others are not served in the meantime")
        peak = service.peak()
        for connection in held:
            connection.close()
        service.until(lambda: service.get("/v1/states")[0] == 200, 60, "it does not recover")
        expect(peak < 512, f"it took {peak:.0f} MB")
    return f"{before:.0f} MB before, {peak:.0f} MB at the most"


def manifest_of(tree):
    """The manifest, after each file of it was found as it says."""
    manifest = json.loads((tree / "v1/manifest.json").read_text())
    for file in manifest["files"]:
        found = hashlib.sha256((tree / file["path"]).read_bytes()).hexdigest()
        expect(found == file["sha256"], f"{file['path']} is not what the manifest says")
    return manifest


def rename(content, name):
    file = content / "providers" / f"{CLINICIAN}.toml"
    file.write_text(re.sub(r'display-name *= *".*"', f'display-name = "{name}"', file.read_text()))


def killed_while_publishing(nameplate, folder):
    """40 SIGKILLs at random moments: the tree is the old one or the new one, whole, and the next build succeeds"""
    content, tree = copy_of_content(folder), folder / "dist"
    build = list(map(str, [nameplate, "build", "--content", content, "--out", tree]))
    subprocess.run(build, capture_output=True, check=True)
    begin = time.monotonic()
    rename(content, "Before")
    subprocess.run(build, capture_output=True, check=True)
    takes, known, new = time.monotonic() - begin, {manifest_of(tree)["generation"]}, 0
    for attempt in range(40):
        rename(content, f"Attempt {attempt}")
        old = manifest_of(tree)["generation"]
        process = subprocess.Popen(build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.random() * takes * 1.2)
        process.kill()
        process.wait()
        is_new = manifest_of(tree)["generation"] != old
        known.add(manifest_of(tree)["generation"])
        new += is_new
    # A build that changes nothing removes no replaced tree, and a killed one leaves one more.
    rename(content, "After")
    subprocess.run(build, capture_output=True, check=True)
    manifest_of(tree)
    leftovers = [path.name for path in (folder / ".nameplate/dist").iterdir()]
    # Trees that were published stay for a while, for those who still read them: docs/RUNBOOK.md.
    kept = [name for name in leftovers if name.startswith("before-")]
    expect(len(kept) <= 8, f"{len(kept)} replaced trees are kept")
    leftovers = [name for name in leftovers if name not in kept and name != "lock"]
    expect(not leftovers, f"left behind: {leftovers}")
    return f"{new} were late enough to publish"


def disk_full(nameplate, folder):
    """a file that can be written no further: one sentence, exit 2, the old tree untouched; then room, and it builds"""
    content, tree = copy_of_content(folder), folder / "dist"
    build = list(map(str, [nameplate, "build", "--content", content, "--out", tree]))
    subprocess.run(build, capture_output=True, check=True)
    old = manifest_of(tree)
    rename(content, "Too Much")

    def no_room():
        # As on a full disk, a write fails; without this the signal would kill.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    refused = subprocess.run(build, capture_output=True, text=True, preexec_fn=no_room, check=False)
    expect(refused.returncode == 2, f"exit {refused.returncode}: {refused.stderr[-300:]}")
    expect(len(refused.stderr.strip().splitlines()) == 1, f"more than a sentence: {refused.stderr[-300:]}")
    expect(manifest_of(tree) == old, "the old tree was touched")
    subprocess.run(build, capture_output=True, check=True)
    expect(manifest_of(tree) != old, "the next build changes nothing")
    return refused.stderr.strip().replace(str(folder), "…")[:140]


def restarts(nameplate, folder):
    """restarts under load with a socket that stays open, as systemd passes it: no connection is refused or cut"""
    content = copy_of_content(folder)
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
    address = listening.getsockname()[:2]
    command = [nameplate, "serve", "--content", str(content), "--state-dir", str(folder / "state")]

    def start():
        # Descriptor 3 is the first that systemd passes; LISTEN_PID names the process that may use it.
        shell = f'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3<&{listening.fileno()}'
        with (folder / "serve.log").open("ab") as log:
            started = ["sh", "-c", shell, "sh", *command]
            return subprocess.Popen(started, cwd=ROOT, stdout=log, stderr=log, pass_fds=[listening.fileno()])

    done, failed, answered = threading.Event(), [], [0]

    def client():
        while not done.is_set():
            try:
                connection = http.client.HTTPConnection(*address, timeout=20)
                for _ in range(20):
                    connection.request("GET", "/v1/states")
                    response = connection.getresponse()
                    response.read()
                    if response.status != 200:
                        failed.append(response.status)
                    answered[0] += 1
                    if response.getheader("connection") == "close":
                        break
                connection.close()
            except OSError as error:
                failed.append(repr(error))
            except http.client.HTTPException as error:
                failed.append(repr(error))

    process = start()
    clients = [threading.Thread(target=client) for _ in range(8)]
    for thread in clients:
        thread.start()
    try:
        for _ in range(RESTARTS):
            # Answers from now on are those of the process that was started last.
            before, end = answered[0], time.monotonic() + 30
            while answered[0] == before and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.3 + random.random() * 0.3)
            process.terminate()
            code = process.wait(30)
            expect(code == 0, f"it ended with {code}: {(folder / 'serve.log').read_text()[-300:]}")
            process = start()
        time.sleep(1)
    finally:
        done.set()
        for thread in clients:
            thread.join()
        process.terminate()
        process.wait(30)
        listening.close()
    expect(not failed, f"{len(failed)} of {answered[0]} requests failed, such as {failed[:3]}")
    return f"{RESTARTS} restarts, {answered[0]} requests, none failed"


FAULTS = {
    "publisher-down": publisher_down,
    "reload-storm": reload_storm,
    "overload": overload,
    "memory-ceiling": memory_ceiling,
    "killed-while-publishing": killed_while_publishing,
    "disk-full": disk_full,
    "restarts": restarts,
    **PRESSURE,
    **FLOODS,
}


def main(nameplate, *names):
    code, nameplate = 0, str(Path(nameplate).resolve())
    for name in names or FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            try:
                figure, verdict = FAULTS[name](nameplate, Path(folder)) or "", "held"
            except Wrong as why:
                figure, verdict, code = str(why), "BROKEN", 1
            seconds = time.monotonic() - begin
            print(f"{name}: {verdict} in {seconds:.0f} s {figure and f'({figure})'}".rstrip(), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
