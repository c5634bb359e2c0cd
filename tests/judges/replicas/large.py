"""Thousands of clinicians and keys: how soon a replica is ready, what it does at two thousand puts a second, and whether it has
in the end what a replica has that reads everything anew.

REPLICA_CLINIC=FOLDER takes the content of a large clinic, as benches' make-clinic writes it; REPLICA_SECONDS=30 lengthens the load.
"""

import asyncio
import http.client
import json
import os
import re
import shutil
import subprocess
import threading
import time
import tomllib
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cluster import NAME
from flood import hash_of
from service import ROOT, Service, expect
from stage import BASE, NEVER_HELD, text

SITE = "large"
CLINICIANS = 300
RATE = 2000
SECONDS = float(os.environ.get("REPLICA_SECONDS", "5"))
SLOTS = 12
MINUTES = 20_000
AT_ONCE = 128
BOUNDS = re.compile(r'^nameplate_nats_applied_seconds_bucket\{le="(\S+)"\} (\d+)$', re.M)


def starts_of(number):
    """The starts of a value: other ones for each number."""
    return {text(BASE + timedelta(minutes=(number * 7 + slot * 1609) % MINUTES)) for slot in range(SLOTS)}


def value_of(slug, number):
    lines = []
    for start in sorted(starts_of(number)):
        end = text(datetime.fromisoformat(start) + timedelta(hours=2))
        lines.append(json.dumps({"provider": slug, "start": start, "end": end, "status": "free"}))
    return "\n".join(lines).encode()


def invented(folder):
    """A clinic of copies of one clinician of the demo."""
    clinic = folder / "clinic"
    (clinic / "providers").mkdir(parents=True)
    (clinic / "availability").mkdir()
    for name in ("directory.toml", "insurances.toml", "appointment-types.toml", "logo.png", "share.png"):
        shutil.copy(ROOT / "content" / name, clinic)
    profile = (ROOT / "content/providers/jun-nakashima.toml").read_text()
    hours = (ROOT / "content/availability/jun-nakashima.toml").read_text()
    for key in ("headshot", "npi"):
        profile = re.sub(rf"(?m)^{key} = .*\n", "", profile)
    for number in range(CLINICIANS):
        one = profile.replace("prov-0012", f"prov-{number:06}").replace("Jun Nakashima", f"Jun the {number}th")
        (clinic / f"providers/jun-{number}.toml").write_text(one)
        (clinic / f"availability/jun-{number}.toml").write_text(hours)
    return clinic


class Load:
    """Puts of all keys in turn, at the given rate."""

    def __init__(self, hand, slugs):
        self.hand, self.slugs, self.numbers, self.hashes = hand, slugs, {}, {}

    def fill(self):
        self.put_all(range(len(self.slugs)), None, 120)

    def run(self, seconds):
        first, count = len(self.slugs), int(RATE * seconds)
        return self.put_all(range(first, first + count), RATE, seconds * 10 + 60)

    def put_all(self, numbers, rate, seconds):
        """Puts, and then a beat. How many puts a second it were."""
        # The values are made before, so that the writer has nothing else to do.
        values = [(number, value_of(self.slugs[number % len(self.slugs)], number)) for number in numbers]
        began = time.monotonic()
        self.hand.run(self.put_each(values, rate), seconds)
        took = time.monotonic() - began
        self.beat()
        return len(values) / took

    async def put_each(self, values, rate):
        room, began = asyncio.Semaphore(AT_ONCE), time.monotonic()
        running = []
        for nth, (number, value) in enumerate(values):
            if rate and (ahead := nth / rate - (time.monotonic() - began)) > 0:
                await asyncio.sleep(ahead)
            await room.acquire()
            running.append(asyncio.ensure_future(self.put(number, value, room)))
        await asyncio.gather(*running)

    async def put(self, number, value, room):
        slug = self.slugs[number % len(self.slugs)]
        key = f"{SITE}.p.{slug}"
        try:
            await self.hand.js.publish(f"$KV.{NAME}.{key}", value, timeout=10)
            if number > self.numbers.get(slug, -1):
                self.numbers[slug], self.hashes[key] = number, hash_of(key, value)
        finally:
            room.release()

    def beat(self):
        found = 0
        for one in self.hashes.values():
            found ^= one
        now = text(datetime.now(timezone.utc))
        value = {"asOf": now, "mode": "open", "keys": len(self.hashes), "sum": f"{found:016x}"}
        self.hand.put_sometime(f"{SITE}.beat", json.dumps(value).encode())


class Asking:
    """The starts that a replica shows of each clinician."""

    def __init__(self, replica, states):
        self.replica, self.states, self.found = replica, states, {}

    def all(self):
        slugs = list(self.states)
        threads = [threading.Thread(target=self.some, args=(slugs[nth::4],)) for nth in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.found

    def some(self, slugs):
        connection = http.client.HTTPConnection(self.replica.address, timeout=30)
        for slug in slugs:
            query = f"state={self.states[slug]}&provider={slug}&horizonDays=30&limit=200"
            connection.request("GET", f"/v1/availability?{query}")
            answer = connection.getresponse()
            body = answer.read()
            self.found[slug] = json.loads(body)["slots"] if answer.status == 200 else answer.status
        connection.close()


def applied(replica):
    """The histogram of the times from the server's time stamp to the application, by bounds in seconds."""
    page = replica.get("/metrics", admin=True)[2].decode()
    return [(float(bound.replace("+Inf", "inf")), int(count)) for bound, count in BOUNDS.findall(page)]


def processor(pid):
    """The seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(before, after, part):
    """The bound below which a share of the applications lies."""
    counts = [(bound, count - old) for (bound, count), (_, old) in zip(after, before)]
    return next(bound for bound, count in counts if count >= part * counts[-1][1]) * 1000


def start(stage, name, store):
    """A replica, how long it took until it was ready, and with how much processor time."""
    folder = stage.folder / name
    folder.mkdir()
    settings = f'[feed]\nkind = "nats"\nurl = "{stage.cluster.url}"\nmode = "open"\nsites = ["{SITE}"]\n{NEVER_HELD}'
    began = time.monotonic()
    replica = Service(stage.nameplate, folder, store, settings)
    replica.until(lambda: replica.get("/readyz", admin=True)[0] == 200, 60, "it is not ready")
    return replica, time.monotonic() - began, processor(replica.process.pid)


def many_keys(stage):
    """keys change at two thousand puts a second: in the end a replica has what a fresh one reads"""
    folder = stage.folder / "large"
    folder.mkdir()
    given = os.environ.get("REPLICA_CLINIC")
    clinic, store = Path(given) if given else invented(folder), f"file://{folder}/releases"
    command = [stage.nameplate, "publish", str(clinic), store]
    published = subprocess.run(command, capture_output=True, text=True, timeout=120)
    expect(published.returncode == 0, f"publish: {published.stderr[-300:]}")
    profiles = {path.stem: tomllib.loads(path.read_text()) for path in sorted((clinic / "providers").glob("*.toml"))}
    states = {slug: profile["accepting"][0] for slug, profile in profiles.items()}
    load = Load(stage.hand, list(states))
    load.fill()
    follower, *first = start(stage, "follower", store)
    with follower:
        before, used, began = applied(follower), processor(follower.process.pid), time.monotonic()
        rate = load.run(SECONDS)
        used = (processor(follower.process.pid) - used) / (time.monotonic() - began)
        site = lambda: stage.bucket(follower)
        last = stage.hand.last()
        began = time.monotonic()
        follower.until(lambda: site()["sequence"] >= last, 60, f"it stays behind: {site()}")
        shown = shown_as_written(follower, states, load)
        behind = time.monotonic() - began
        after = applied(follower)
        expect(site()["sites"]["diverged"] == 0, f"{site()}")
        # On a slow machine a heartbeat may come too late, and another consumer takes over. No message is lost.
        expect("a message is missing" not in follower.log.read_text(), f"{site()}")
        load.beat()
        fresh, *again = start(stage, "fresh", store)
        with fresh:
            whole = shown_as_written(fresh, states, load)
        differ = [slug for slug in states if whole[slug] != shown[slug]]
        expect(not differ, f"{len(differ)} clinicians have different times after reading everything again, such as {differ[:1]}")
        memory = follower.peak()
    ready, work = min(first, again)
    return (
        f"{len(states)} keys of {len(value_of(load.slugs[0], 0)) / 1000:.1f} KB, {rate:.0f} puts/s for {SECONDS:.0f} s: applied"
        f" p50 ≤ {share(before, after, 0.5):.0f} ms, p99 ≤ {share(before, after, 0.99):.0f} ms, done {behind:.1f} s after the last,"
        f" with {used * 100:.0f} % of a core; ready after {ready:.2f} s with {work:.2f} s of work, peak {memory:.0f} MB"
    )


def shown_as_written(replica, states, load):
    """The slots of each clinician, as soon as they are those that were put. A message that a replica has taken is applied a
    moment later."""
    end = time.monotonic() + 60
    while True:
        shown = Asking(replica, states).all()
        wrong = [slug for slug, slots in shown.items() if starts_shown(slots) != starts_of(load.numbers[slug])]
        if not wrong:
            return shown
        such = f"{wrong[0]}: {shown[wrong[0]]}"
        expect(time.monotonic() < end, f"{len(wrong)} clinicians have other times than were written, such as {such}")


def starts_shown(slots):
    return {slot["startTime"] for slot in slots} if isinstance(slots, list) else slots
