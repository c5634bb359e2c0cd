"""A site whose keys are written without a pause, and what became of the writes that were acknowledged."""

import asyncio
import json
import time
from datetime import datetime, timezone

import xxhash
from nats.errors import Error as NatsError

from cluster import NAME, STREAM
from service import expect

SITE = "flood"
# Written one after the other: a key is written again after some seconds, and checked before.
KEYS = 1000
PAUSE = 0.005
BEAT = 1.0


def lines(slug, number):
    """A free slot of someone who isn't in the content."""
    start = 1_900_000_000 + number * 60
    text = lambda seconds: datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    line = {"provider": slug, "start": text(start), "end": text(start + 1800), "status": "free"}
    return json.dumps(line).encode()


def hash_of(key, value):
    return xxhash.xxh3_64_intdigest(key.encode() + b"\0" + value)


class Flood:
    """Its values are those that the servers have acknowledged: each write is repeated until it is."""

    def __init__(self, hand):
        self.hand, self.values, self.sum, self.acknowledged, self.last = hand, {}, 0, 0, 0
        self.goes_on, self.is_still = asyncio.Event(), asyncio.Event()
        self.goes_on.set()
        self.task = asyncio.run_coroutine_threadsafe(self.write(), hand.loop)

    async def write(self):
        number, beaten = 0, 0.0
        while True:
            if not self.goes_on.is_set():
                self.is_still.set()
                await self.goes_on.wait()
                self.is_still.clear()
            slug = f"visitor-{number % KEYS}"
            key, value = f"{SITE}.p.{slug}", lines(slug, number)
            await self.put(key, value)
            before = self.values.get(key)
            self.sum ^= hash_of(key, value) ^ (hash_of(key, before) if before else 0)
            self.values[key] = value
            self.acknowledged += 1
            number += 1
            if time.monotonic() - beaten > BEAT:
                await self.put(f"{SITE}.beat", self.beat(self.sum))
                beaten = time.monotonic()
            await asyncio.sleep(PAUSE)

    def beat(self, found):
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        return json.dumps({"asOf": now, "mode": "open", "keys": len(self.values), "sum": f"{found:016x}"}).encode()

    async def put(self, key, value):
        while True:
            try:
                number = (await self.hand.js.publish(f"$KV.{NAME}.{key}", value, timeout=1)).seq
                break
            except (NatsError, TimeoutError, OSError):
                await asyncio.sleep(0.05)
        if number <= self.last:
            raise AssertionError(f"number {number} is given again after {self.last}: an acknowledged write is lost")
        self.last = number

    async def missing(self):
        """The keys whose last acknowledged value is not in the bucket."""
        async def differs(key, value):
            return (await self.hand.js.get_last_msg(STREAM, f"$KV.{NAME}.{key}")).data != value

        found, items = [], list(self.values.items())
        for part in range(0, len(items), 50):
            some = items[part:part + 50]
            found += [key for (key, _), wrong in zip(some, await asyncio.gather(*(differs(*item) for item in some))) if wrong]
        return found

    def goes_on_writing(self):
        expect(not self.task.done(), f"the writer ended: {self.task.done() and self.task.exception()}")

    def check(self):
        """Stands still, and looks for each acknowledged write."""
        self.hand.loop.call_soon_threadsafe(self.goes_on.clear)
        end = time.monotonic() + 60
        while not self.is_still.is_set():
            self.goes_on_writing()
            expect(time.monotonic() < end, "the writer waits for an answer")
            time.sleep(0.02)
        missing = self.hand.retried(self.missing, 60, "the keys cannot be read")
        expect(not missing, f"{len(missing)} acknowledged writes are lost, such as {missing[:1]}")
        self.goes_on_writing()

    def wait_for(self, writes):
        """Waits until this many more writes are acknowledged."""
        wanted, end = self.acknowledged + writes, time.monotonic() + 120
        while self.acknowledged < wanted:
            self.goes_on_writing()
            expect(time.monotonic() < end, f"{wanted - self.acknowledged} of {writes} writes are not acknowledged")
            time.sleep(0.05)

    def resume(self):
        self.hand.loop.call_soon_threadsafe(self.goes_on.set)

    def beat_by_hand(self, found):
        self.hand.put_sometime(f"{SITE}.beat", self.beat(found))

    def stop(self):
        self.task.cancel()
