"""The bucket's leader is killed repeatedly while a site is written without a pause, is stopped, and hangs."""

import os
import signal
import statistics
import time

from cluster import STREAM
from flood import Flood
from service import expect
from stage import CLINICIAN, slots, spread, start_of

KILLS = int(os.environ.get("REPLICA_KILLS", "3"))
# What docs/FEED.md promises of the time until all replicas show a new write: in 98 of 100 deaths, and always.
USUAL, WORST = 10, 20
ANEW = "keys differ from its writer"


def leader_killed(stage):
    """the leader is killed repeatedly: no acknowledged write is lost, all replicas end up equal"""
    converged, written = [], []
    flood = Flood(stage.hand)
    try:
        for _ in range(KILLS):
            one_kill(stage, flood, converged, written)
        expect(not any(ANEW in replica.log.read_text() for replica in stage.replicas), "a replica had other keys than the writer")
        sums_are_compared(stage, flood)
    finally:
        flood.stop()
    late = sum(took > USUAL for took in converged)
    expect(max(converged) <= WORST, f"all replicas show a write after {max(converged):.1f} s")
    expect(late * 50 <= KILLS or KILLS < 50, f"{late} of {KILLS} took over {USUAL} s")
    return (
        f"{KILLS} kills, none of {flood.acknowledged} acknowledged writes lost; next write p50 {statistics.median(written):.1f} s;"
        f" all replicas: {spread(converged)}, {late} over {USUAL} s"
    )


def one_kill(stage, flood, converged, written):
    leader = stage.hand.leader()
    stage.cluster.kill(leader)
    began = time.monotonic()
    stage.put()
    written.append(time.monotonic() - began)
    stage.converged(60, "a replica does not come back after the death of a leader")
    converged.append(time.monotonic() - began)
    expect(stage.hand.get(f"byhand.p.{CLINICIAN}") == slots(CLINICIAN, start_of(stage.number)), "an acknowledged write is lost")
    flood.check()
    stage.cluster.start(leader)
    # The dead server catches up, or the next kill takes the quorum.
    stage.hand.retried(lambda: all_current(stage.hand), 60, "a server does not catch up")
    flood.resume()
    # Some hundreds of keys are written before the next kill.
    flood.wait_for(300)


def leader_stopped(stage):
    """the leader is stopped, and then hangs with its connections open: all replicas show the next write"""
    leader = stage.hand.leader()
    stage.cluster.kill(leader, signal.SIGTERM)
    stopped = next_write(stage)
    stage.cluster.start(leader)
    stage.hand.retried(lambda: all_current(stage.hand), 60, "a server does not catch up")
    leader = stage.hand.leader()
    process = stage.cluster.processes[leader]
    process.send_signal(signal.SIGSTOP)
    try:
        hung = next_write(stage)
    finally:
        process.send_signal(signal.SIGCONT)
    stage.hand.retried(lambda: all_current(stage.hand), 60, "a server does not catch up")
    expect(max(stopped, hung) <= WORST, f"a write is shown {stopped:.1f} s after a stop, and {hung:.1f} s after it hung")
    return f"{stopped:.1f} s after a stop, {hung:.1f} s after it hung"


def next_write(stage):
    """How long until all replicas show a write that begins now."""
    began = time.monotonic()
    stage.put()
    stage.converged(60, "a replica does not come back")
    return time.monotonic() - began


async def all_current(hand):
    info = await hand.js.stream_info(STREAM)
    if len(info.cluster.replicas) < 2 or not all(peer.current and not peer.offline for peer in info.cluster.replicas):
        raise TimeoutError


def sums_are_compared(stage, flood):
    """That no replica had other keys says something only if each compares them: one beat with a wrong sum is seen by all."""
    flood.check()
    for found, count in ((flood.sum ^ 1, 1), (flood.sum, 0)):
        flood.beat_by_hand(found)
        for replica in stage.replicas:
            diverged = lambda: stage.bucket(replica)["sites"]["diverged"]

            def agrees():
                if diverged() != count:
                    # A replica that was reading everything again did not compare this one.
                    flood.beat_by_hand(found)
                return diverged() == count

            replica.until(agrees, 30, f"{diverged()} sites differ for a replica, and {count} do")
