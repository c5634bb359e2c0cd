"""Many more replicas follow the same bucket: what each sees of a put and of a leader's death, and what they cost the servers."""

import os
import re
import time
from pathlib import Path

from large import applied, processor, share
from service import Service, copy_of_content, expect
from stage import NEVER_HELD, shows, start_of

WATCHERS = int(os.environ.get("REPLICA_WATCHERS", "6"))
PUTS = 20
REST = 5.0


def many_watchers(stage):
    """many replicas see every put, and come back after the death of a leader, all equal"""
    folder = stage.folder / "watchers"
    folder.mkdir()
    content = copy_of_content(folder)
    settings = f'[feed]\nkind = "nats"\nurl = "{stage.cluster.url}"\nmode = "open"\nsites = ["byhand", "larkspur"]\n{NEVER_HELD}'
    watchers = []
    try:
        for number in range(WATCHERS):
            own = folder / f"{number}"
            own.mkdir()
            watchers.append(Service(stage.nameplate, own, content, settings))
        all_show(stage, watchers, 60)
        rest = at_rest(stage)
        before = total(watchers)
        for _ in range(PUTS):
            stage.put()
            all_show(stage, watchers, 30)
        # An application is counted a moment after it is shown.
        end = time.monotonic() + 30
        while (after := total(watchers))[-1][1] - before[-1][1] < PUTS * WATCHERS:
            expect(time.monotonic() < end, "a put was not applied by each")
            time.sleep(0.1)
        leader = stage.hand.leader()
        stage.cluster.kill(leader)
        began = time.monotonic()
        stage.put()
        all_show(stage, watchers, 60)
        took = time.monotonic() - began
        stage.cluster.start(leader)
        expect(took <= 20, f"all show a write {took:.1f} s after the death of a leader")
    finally:
        for watcher in watchers:
            watcher.process.kill()
            watcher.process.wait()
    return (
        f"{WATCHERS} replicas more, {PUTS} puts: applied p50 ≤ {share(before, after, 0.5):.0f} ms, p99 ≤"
        f" {share(before, after, 0.99):.0f} ms; {took:.1f} s after a leader's death; {rest}"
    )


def all_show(stage, watchers, seconds):
    """Waits until each shows the last slot that was put, and all the same slots."""
    wanted, end = start_of(stage.number), time.monotonic() + seconds
    for watcher in watchers:
        while not shows(watcher.get("/v1/availability?" + stage.asked())[2], wanted):
            expect(time.monotonic() < end, f"a put is not shown after {seconds} s: {watcher.log.read_text()[-300:]}")
            time.sleep(0.02)
    shown = {str(stage.starts(watcher)) for watcher in watchers}
    expect(len(shown) == 1, f"two replicas show other times: {shown}")


def total(watchers):
    """The histograms of all, added up."""
    pages = [applied(watcher) for watcher in watchers]
    return [(same[0][0], sum(count for _, count in same)) for same in zip(*pages)]


def at_rest(stage):
    """What the busiest server takes while two sites beat."""
    pids = [process.pid for process in stage.cluster.processes]
    before, began = [processor(pid) for pid in pids], time.monotonic()
    time.sleep(REST)
    busiest = max(processor(pid) - old for pid, old in zip(pids, before)) / (time.monotonic() - began)
    memory = max(resident(pid) for pid in pids)
    return f"a server at rest takes {busiest * 100:.0f} % of a core and {memory:.0f} MB"


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024
