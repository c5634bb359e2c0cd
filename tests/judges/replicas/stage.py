"""The servers and replicas of this judge, and what its checks write and compare."""

import json
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))

from service import Service, copy_of_content, expect  # noqa: E402

from cluster import Beats, Cluster, Hand  # noqa: E402

# Two clinicians of the demo in one state.
CLINICIAN, OTHER, STATE = "amara-okonkwo", "jun-nakashima", "CA"
# The servers may take 20 s to elect a leader, and no time may be unknown in the meantime.
FRESH, MAX_STALE = 8, 40
# The checks keep replacing all times of a clinician, as no clinic does. Replicas would hold her key at the ninth
# time within an hour.
NEVER_HELD = "max-shrink = 1\n"


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


BASE = (datetime.now(timezone.utc) + timedelta(days=3)).replace(hour=0, minute=0, second=0)


def start_of(number):
    """A start that no other number below 29,500 has, at no whole hour."""
    hours, minutes = divmod(number % 29_500, 59)
    return text(BASE + timedelta(hours=hours, minutes=minutes + 1))


def whole_hour(number):
    """A start at a whole hour: no slot that is put by hand has it."""
    return text(BASE + timedelta(hours=number))


def slots(slug, start):
    """An open slot of a clinician."""
    end = text(datetime.fromisoformat(start) + timedelta(hours=2))
    line = {"provider": slug, "start": start, "end": end, "status": "free"}
    return json.dumps(line).encode()


class Stage:
    """The servers, the replicas, a program that pushes one site, and a site that is written by hand."""

    def __init__(self, nameplate, program, folder):
        self.nameplate, self.folder = nameplate, folder
        self.cluster = Cluster(program, folder)
        self.replicas, self.pushers, self.number = [], [], 0

    def __enter__(self):
        self.cluster.__enter__()
        try:
            self.hand = Hand(self.cluster)
            self.hand.make_bucket()
            self.beats = Beats(self.hand, "byhand")
            self.put()
            self.source = self.folder / "open.ndjson"
            self.source.write_bytes(b"\n".join(slots(OTHER, whole_hour(number)) for number in range(8)) + b"\n")
            self.push("pusher")
            for number in range(3):
                self.replicas.append(self.replica(number))
            self.converged(60, "the replicas never have what is in the bucket")
        except BaseException:
            self.__exit__()
            raise
        return self

    def replica(self, number):
        folder = self.folder / f"replica{number}"
        folder.mkdir()
        settings = (
            f'[feed]\nkind = "nats"\nurl = "{self.cluster.url}"\nmode = "open"\n'
            f'fresh-for = "{FRESH}s"\nmax-stale = "{MAX_STALE}s"\n{NEVER_HELD}'
        )
        return Service(self.nameplate, folder, copy_of_content(folder), settings)

    def command(self, *words):
        to = ["--to", self.cluster.url, "--site", "larkspur", "--mode", "open"]
        return [self.nameplate, "feed", "push", *to, *words, str(self.source)]

    def push(self, name):
        log = (self.folder / f"{name}.log").open("ab")
        process = subprocess.Popen(self.command("--every", "2s"), stdout=log, stderr=log)
        self.pushers.append(process)
        return process

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def put(self):
        """Puts the next slot by hand, repeatedly until it is acknowledged."""
        self.number += 1
        self.hand.put_sometime(f"byhand.p.{CLINICIAN}", slots(CLINICIAN, start_of(self.number)))

    def starts(self, replica):
        """The starts of both clinicians; None if the times are unknown."""
        status, _, body = replica.get("/v1/availability?" + self.asked())
        return sorted(slot["startTime"] for slot in json.loads(body)["slots"]) if status == 200 else None

    def asked(self):
        return f"state={STATE}&horizonDays=30&limit=100"

    def bodies(self):
        return [replica.get("/v1/availability?" + self.asked())[2] for replica in self.replicas]

    def converged(self, seconds, what):
        """Waits until all replicas show the last slot that was put, and the same."""
        wanted, end = start_of(self.number), time.monotonic() + seconds
        while True:
            bodies = self.bodies()
            if all(shows(body, wanted) for body in bodies) and len(set(map(slots_of, bodies))) == 1:
                return
            expect(time.monotonic() < end, f"{what}: {self.troubles()}, {[body[:300] for body in bodies]}")
            time.sleep(0.02)

    def bucket(self, replica):
        return json.loads(replica.get("/readyz", admin=True)[2])["feed"]["nats"]

    def troubles(self):
        """What each replica says of what is held or wrong."""
        told = [json.loads(replica.get("/readyz", admin=True)[2] or b"{}").get("feed") or {} for replica in self.replicas]
        return [feed.get("held") or feed.get("lastError") for feed in told]

    def __exit__(self, *_):
        if hasattr(self, "beats"):
            self.beats.stop()
        for process in self.pushers:
            process.kill()
            process.wait()
        for replica in self.replicas:
            replica.process.kill()
            replica.process.wait()
        if hasattr(self, "hand"):
            self.hand.close()
        self.cluster.__exit__()


def shows(body, start):
    return start.removesuffix("Z").encode() in body


def slots_of(body):
    return json.dumps(json.loads(body).get("slots")) if body.startswith(b"{") else ""


def spread(seconds):
    """The median, the 99th percentile and the worst, in milliseconds."""
    ordered = sorted(seconds)
    at = lambda share: ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000
    return f"p50 {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms, worst {ordered[-1] * 1000:.1f} ms"
