"""Calendars by their secret addresses, in a bucket: one machine asks for them, and a replica gets the taken times alone."""

import gzip
import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from nats.js.api import KeyValueConfig, StorageType

from service import Service, copy_of_content, expect
from stage import CLINICIAN, OTHER, STATE

BUCKET = "calendars"
# In addresses, and in all of a calendar that does not say when.
SECRET = "c4n4ry"


def event(when, more=""):
    return f"BEGIN:VEVENT\r\nUID:{SECRET}-{when}\r\nSUMMARY:{SECRET}\r\nATTENDEE:mailto:{SECRET}@a.example\r\n{when}\r\n{more}END:VEVENT\r\n"


def calendar(*events):
    return f"BEGIN:VCALENDAR\r\nX-WR-CALNAME:{SECRET}\r\n{''.join(events)}END:VCALENDAR\r\n"


PAST = event("DTSTART:20260101T160000Z")
ALWAYS = event("DTSTART:20260101T000000Z\r\nDURATION:P1D", "RRULE:FREQ=DAILY\r\n")
UNCLEAR = event("DTSTART:20260101T000000Z", "RRULE:FREQ=FORTNIGHTLY\r\n")


class Publisher:
    """A server of calendars: what it has no text for is not found."""

    def __init__(self):
        self.texts = texts = {}

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                text = texts.get(self.path)
                self.send_response(404 if text is None else 200)
                self.end_headers()
                self.wfile.write((text or "").encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def line(self, slug):
        return f"{slug} http://127.0.0.1:{self.server.server_port}/{SECRET}/{slug}.ics\n"

    def set(self, slug, *events):
        self.texts[f"/{SECRET}/{slug}.ics"] = calendar(*events) if events else None


class Clinic:
    """The bucket, and what pushes into it."""

    def __init__(self, stage, publisher):
        self.stage, self.publisher = stage, publisher
        self.list = stage.folder / "calendars"
        config = KeyValueConfig(bucket=BUCKET, history=1, replicas=3, storage=StorageType.FILE, max_bytes=8 << 20)
        stage.hand.retried(lambda: stage.hand.js.create_key_value(config), 60, "the bucket is not made")

    def push(self, *slugs):
        """Pushes once the calendars of these. Returns the log."""
        self.list.write_text("".join(map(self.publisher.line, slugs)))
        self.list.chmod(0o600)
        to = ["--to", self.stage.cluster.url, "--bucket", BUCKET, "--site", "larkspur", "--once"]
        command = [self.stage.nameplate, "feed", "push", *to, "--kind", "ics", "--calendars", str(self.list)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        expect(done.returncode == 0, f"{done.returncode}: {done.stderr[-300:]}")
        expect(SECRET not in done.stdout + done.stderr, f"the log has a secret: {done.stderr}")
        return done.stderr

    def get(self, key):
        js, subject = self.stage.hand.js, f"$KV.{BUCKET}.larkspur.{key}"
        message = self.stage.hand.retried(lambda: js.get_last_msg(f"KV_{BUCKET}", subject), 60, f"{key} cannot be read")
        if (message.data or b"").startswith(b"\x1f\x8b"):
            message.data = gzip.decompress(message.data)
        expect(SECRET.encode() not in (message.data or b""), f"{key} has a secret: {message.data}")
        return message

    def lines(self, slug):
        return [json.loads(line) for line in self.get(f"p.{slug}").data.decode().splitlines()]

    def late(self):
        return list(json.loads(self.get("beat").data).get("late", {}))


def calendars(stage):
    """calendars by their secret addresses: replicas get the taken times alone, in doubt old and new ones, and never a secret"""
    folder = stage.folder / "calendars-replica"
    folder.mkdir()
    settings = (
        f'[feed]\nkind = "nats"\nurl = "{stage.cluster.url}"\nbucket = "{BUCKET}"\nmode = "busy"\n'
        'fresh-for = "15m"\nmax-stale = "2h"\n'
    )
    with Publisher() as publisher:
        clinic = Clinic(stage, publisher)
        publisher.set(CLINICIAN, ALWAYS)
        publisher.set(OTHER, PAST)
        clinic.push(CLINICIAN, OTHER)
        expect({line["status"] for line in clinic.lines(CLINICIAN)} == {"busy"}, "a line is not busy")
        fields = {field for line in clinic.lines(CLINICIAN) for field in line}
        expect(fields == {"provider", "start", "end", "status"}, f"a line has more than the time: {fields}")
        with Service(stage.nameplate, folder, copy_of_content(folder), settings) as replica:
            asked = f"/v1/availability?state={STATE}&horizonDays=30&provider="
            has_times = lambda slug: b"startTime" in replica.get(asked + slug)[2]
            replica.until(lambda: has_times(OTHER), 60, "nothing is offered of a free clinician")
            expect(not has_times(CLINICIAN), "taken time is offered")

            # Without a line, nothing is said about her.
            clinic.push(CLINICIAN)
            headers = clinic.get(f"p.{OTHER}").headers
            expect(headers and headers.get("KV-Operation") == "DEL", f"the key is not deleted: {headers}")
            replica.until(lambda: not has_times(OTHER), 60, "a clinician without a key is offered")
            clinic.push(CLINICIAN, OTHER)
            replica.until(lambda: has_times(OTHER), 60, "a key that is back is not used")

            # A calendar whose address was reset is late alone, and stays taken.
            publisher.set(CLINICIAN)
            log = clinic.push(CLINICIAN, OTHER)
            expect("copy it again" in log and clinic.late() == [f"p.{CLINICIAN}"], f"{clinic.late()}: {log}")
            # In doubt: what it had, and what is new.
            before = clinic.lines(OTHER)
            publisher.set(OTHER, event("DTSTART:20260101T170000Z", "RRULE:FREQ=DAILY\r\n"), UNCLEAR)
            publisher.set(CLINICIAN, ALWAYS)
            log = clinic.push(CLINICIAN, OTHER)
            after = clinic.lines(OTHER)
            expect("RRULE has a part" in log and clinic.late() == [f"p.{OTHER}"], f"{clinic.late()}: {log}")
            expect(all(line in after for line in before) and len(after) > 30, f"{before} → {after}")
            expect(not has_times(CLINICIAN), "taken time is offered")

            told = replica.get("/readyz", admin=True)[2] + replica.log.read_bytes()
            expect(SECRET.encode() not in told, "the replica reveals a secret")
    return "2 calendars, 5 pushes"
