"""Three replicas that follow a bucket of three NATS servers: what they show while writers and servers do their worst.

    tests/judges/replicas/replicas.py NAMEPLATE NATS-SERVER [NAME ...]

Each check prints a line. For figures, these make a long run of it: REPLICA_PUTS=1000, REPLICA_KILLS=200,
REPLICA_WATCHERS=100, REPLICA_CLINIC=FOLDER, REPLICA_SECONDS=30 and REPLICA_HOURS=24.
"""

import gzip
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from nats.js.errors import BadRequestError

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))

from service import Wrong, expect  # noqa: E402

import rights  # noqa: E402
from calendars import calendars  # noqa: E402
from cluster import NAME, STREAM  # noqa: E402
from day import day  # noqa: E402
from killed import leader_killed, leader_stopped  # noqa: E402
from large import many_keys  # noqa: E402
from watchers import many_watchers  # noqa: E402
from stage import CLINICIAN, OTHER, FRESH, MAX_STALE, start_of, whole_hour, slots, Stage, shows, spread  # noqa: E402

PUTS = int(os.environ.get("REPLICA_PUTS", "100"))
# How long a put may take to be seen, in seconds.
WORST = 20


def put_to_body(stage):
    """a put is in the body of every replica"""
    took, lock = [], threading.Lock()
    target = "/v1/availability?" + stage.asked()

    def watch(replica, start, began):
        connection = http.client.HTTPConnection(replica.address, timeout=10)
        while time.monotonic() - began < WORST:
            connection.request("GET", target)
            if shows(connection.getresponse().read(), start):
                with lock:
                    took.append(time.monotonic() - began)
                break
        connection.close()

    for number in range(1, PUTS + 1):
        start, began = start_of(stage.number + 1), time.monotonic()
        watchers = [threading.Thread(target=watch, args=(replica, start, began)) for replica in stage.replicas]
        for watcher in watchers:
            watcher.start()
        stage.put()
        for watcher in watchers:
            watcher.join()
        missing = number * 3 - len(took)
        expect(not missing, f"{missing} of 3 replicas do not show put {number} within {WORST} s: {stage.troubles()}")
    return f"{PUTS} puts, 3 replicas: {spread(took)}"


def quorum_lost(stage):
    """two of three servers die: stale with its age, then 503 and never "nothing open"; recovers without help"""
    replica, asked = stage.replicas[0], "/v1/availability?" + stage.asked()
    before = [number for number in range(3) if stage.cluster.processes[number]][:2]
    for number in before:
        stage.cluster.kill(number)

    def fresh():
        code, headers, _ = replica.get(asked)
        return code == 200 and "Availability-Status" not in headers

    def stale():
        _, headers, body = replica.get(asked)
        return headers.get("Availability-Status") == "stale" and body

    body = replica.until(stale, FRESH + 15, "it never says that it is stale")
    expect(shows(body, start_of(stage.number)), "stale times are not shown")
    replica.until(lambda: replica.get(asked)[0] == 503, MAX_STALE + 15, "old times are shown for ever")
    expect(replica.get("/v1/providers")[0] == 200, "the directory went down with the bucket")
    expect(replica.get("/readyz", admin=True)[0] == 200, "the replica is not ready")
    for number in before:
        stage.cluster.start(number)
    began = time.monotonic()
    stage.put()
    stage.converged(60, "the replicas do not come back")
    back = time.monotonic() - began
    replica.until(fresh, 60, "it stays stale")
    return f"back {back:.1f} s after the quorum"


def bad_values(stage):
    """bad, too large and foreign values are named in /readyz while the last good state is served"""
    key, good = f"byhand.p.{CLINICIAN}", start_of(stage.number)
    bad = {
        key: b"nonsense",
        f"byhand.p.{OTHER}": slots(CLINICIAN, start_of(1)),
        "byhand.p.large": gzip.compress(b" " * (5 << 20)),
        "byhand.x.y": b"",
        "stray": b"",
    }
    for name, value in bad.items():
        stage.hand.put_sometime(name, value)
    for replica in stage.replicas:
        named = lambda: {refused["key"]: refused["why"] for refused in stage.bucket(replica)["refused"]}
        replica.until(lambda: set(named()) == set(bad), 30, f"not all are named: {named()}")
        expect("a JSON object" in named()[key], named()[key])
        expect("expands to more than" in named()["byhand.p.large"], named()["byhand.p.large"])
        expect("which this key doesn't hold" in named()[f"byhand.p.{OTHER}"], named()[f"byhand.p.{OTHER}"])
        expect(shows(replica.get("/v1/availability?" + stage.asked())[2], good), "the last good times are not shown")
    deleted = {"KV-Operation": "DEL"}
    for name in bad:
        stage.hand.put_sometime(name, b"", deleted)
    stage.put()
    stage.converged(30, "a corrected value is not shown")
    for replica in stage.replicas:
        replica.until(lambda: stage.bucket(replica)["refusedKeys"] == 0, 30, "a corrected value is refused")


def keys_purged(stage):
    """an operator purges a site, which leaves no marker: its writer writes every key again, and a new replica believes it"""
    key, wanted = f"larkspur.p.{OTHER}", whole_hour(3)
    before = stage.hand.last()
    purge = lambda: stage.hand.js.purge_stream(STREAM, subject=f"$KV.{NAME}.larkspur.>")
    stage.hand.retried(purge, 60, "the keys are not purged")

    async def written():
        """The key's number in the stream, once it was written after the purge."""
        number = (await stage.hand.js.get_last_msg(STREAM, f"$KV.{NAME}.{key}")).seq
        if number <= before:
            raise TimeoutError
        return number

    began = time.monotonic()
    stage.hand.retried(written, 60, f"{key} is not written again")
    took = time.monotonic() - began
    with stage.replica(len(stage.replicas)) as replica:
        replica.until(lambda: shows(replica.get("/v1/availability?" + stage.asked())[2], wanted), 60, "it does not show the site")
        replica.until(lambda: stage.bucket(replica)["sites"]["diverged"] == 0, 60, "it has other keys than the writer")
    return f"written again after {took:.1f} s"


def bucket_made_anew(stage):
    """the bucket is deleted and recreated: no replica shows it empty, each follows the new one"""
    replica, asked = stage.replicas[0], "/v1/availability?" + stage.asked()
    resets = [stage.bucket(replica)["resets"] for replica in stage.replicas]
    seen, done = [], threading.Event()

    def watch():
        while not done.is_set():
            status, _, body = replica.get(asked)
            if status == 200 and not json.loads(body)["slots"]:
                seen.append(body)
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        stage.hand.delete_bucket()
        stage.hand.make_bucket()
        began = time.monotonic()
        stage.put()
        stage.converged(60, "the replicas do not follow the new bucket")
        took = time.monotonic() - began
        wanted = whole_hour(3)
        for replica in stage.replicas:
            replica.until(lambda: shows(replica.get(asked)[2], wanted), 60, "what is pushed does not come back")
    finally:
        done.set()
        watcher.join()
    expect(not seen, f"a replica showed that nothing is open: {seen[:1]}")
    now = [stage.bucket(replica)["resets"] for replica in stage.replicas]
    expect(all(after > before for before, after in zip(resets, now)), f"resets {resets} → {now}")
    return f"followed after {took:.1f} s"


def two_writers(stage):
    """a second writer of a site stands by and takes over; a beat on an old revision is refused"""
    async def refusal():
        old = {"Nats-Expected-Last-Subject-Sequence": "1"}
        try:
            await stage.hand.js.publish(f"$KV.{NAME}.larkspur.beat", b"{}", timeout=2, headers=old)
        except BadRequestError as why:
            return str(why).lower()
        raise Wrong("a beat on an old revision is taken")

    why = stage.hand.retried(refusal, 60, "a beat on an old revision is not answered")
    expect("wrong last sequence" in why, f"refused for another reason: {why}")
    once = subprocess.run(stage.command("--once"), capture_output=True, text=True, timeout=60)
    expect(once.returncode == 2 and "another writer" in once.stderr, f"{once.returncode}: {once.stderr[-300:]}")
    stage.push("second")
    end = time.monotonic() + 60
    while "standing by" not in stage.log("second"):
        expect(time.monotonic() < end, f"it does not stand by: {stage.log('second')[-300:]}")
        time.sleep(0.1)
    first = stage.pushers[0]
    first.kill()
    first.wait()
    began = time.monotonic()
    lines = stage.source.read_bytes() + slots(OTHER, whole_hour(9)) + b"\n"
    stage.source.write_bytes(lines)
    asked, wanted = "/v1/availability?" + stage.asked(), whole_hour(9)
    for replica in stage.replicas:
        replica.until(lambda: shows(replica.get(asked)[2], wanted), 60, f"nothing took over: {stage.log('second')[-300:]}")
    return f"took over after {time.monotonic() - began:.1f} s"


def rights_and_tls(stage):
    """over TLS, with the users of deploy/nats/nats.conf: each does its work, and a foreign site's keys are refused"""
    return rights.check(stage, slots(OTHER, whole_hour(5)), whole_hour(5))


def writers_race(stage):
    """two writers of a site begin at once: one writes, the other stands by, permanently"""
    source = stage.folder / "race.ndjson"
    source.write_bytes(slots(OTHER, whole_hour(20)) + b"\n")
    command = [stage.nameplate, "feed", "push", "--to", stage.cluster.url, "--site", "race", "--mode", "open"]
    names = ["race1", "race2"]
    for name in names:
        log = (stage.folder / f"{name}.log").open("ab")
        stage.pushers.append(subprocess.Popen([*command, "--every", "3s", str(source)], stdout=log, stderr=log))
    standing = lambda: [name for name in names if "standing by" in stage.log(name)]
    end = time.monotonic() + 60
    while not standing():
        expect(time.monotonic() < end, f"neither is standing by: {[stage.log(name)[-200:] for name in names]}")
        time.sleep(0.1)
    # Three missing beats would do for a take-over. Shorter beats may be missing on a slow machine.
    time.sleep(12)
    expect(len(standing()) == 1, "both stand by")
    expect(not any("taking over" in stage.log(name) for name in names), "the standby takes over")
    beat = json.loads(stage.hand.get("race.beat"))
    expect(beat["keys"] == 1, f"the beat: {beat}")


CHECKS = {
    "put-to-body": put_to_body,
    "rights-and-tls": rights_and_tls,
    "calendars": calendars,
    "writers-race": writers_race,
    "bad-values": bad_values,
    "keys-purged": keys_purged,
    "two-writers": two_writers,
    "many-keys": many_keys,
    "many-watchers": many_watchers,
    "leader-killed": leader_killed,
    "leader-stopped": leader_stopped,
    "day": day,
    "quorum-lost": quorum_lost,
    "bucket-made-anew": bucket_made_anew,
}


def main(nameplate, program, *names):
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            with Stage(str(Path(nameplate).resolve()), program, Path(folder)) as stage:
                for name in names or CHECKS:
                    begin = time.monotonic()
                    try:
                        figure, verdict = CHECKS[name](stage) or "", "held"
                    except rights.Skip as why:
                        figure, verdict = str(why), "SKIPPED"
                    except Wrong as why:
                        figure, verdict, code = str(why), "BROKEN", 1
                    seconds = time.monotonic() - begin
                    print(f"{name}: {verdict} in {seconds:.0f} s {figure and f'({figure})'}".rstrip(), flush=True)
        except Wrong as why:
            print(f"start: BROKEN ({why})", flush=True)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
