"""A day in short: in each of its hours the content is edited, times change, and the leader of the bucket dies, while all
replicas are asked all the time. REPLICA_HOURS=24 makes a whole day of it."""

import http.client
import json
import os
import random
import re
import threading
import time

from killed import WORST, all_current
from service import expect
from stage import CLINICIAN, OTHER, shows, start_of

HOURS = int(os.environ.get("REPLICA_HOURS", "2"))
CHANGES = 10
CATALOG = ["/v1/states", "/v1/providers?state=CA&limit=5", f"/v1/providers/{OTHER}", "/v1/providers/summary?q=menopause"]
REFUSED = [("/v1/providers?state=XX", 400), ("/v1/providers/nobody-here", 404)]
MCP = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                   "params": {"name": "get_provider", "arguments": {"slug": OTHER}}})


class Questions:
    """Asks every replica all the time, and notes each wrong answer."""

    def __init__(self, stage):
        self.stage, self.done, self.lock = stage, threading.Event(), threading.Lock()
        self.asked, self.wrong = 0, []
        # A request and a generation have one body, on every replica.
        self.bodies = {}
        # When the bucket confirmed that a start is taken.
        self.taken = {}
        self.threads = [threading.Thread(target=self.ask, args=[replica]) for replica in stage.replicas for _ in range(2)]
        for thread in self.threads:
            thread.start()

    def ask(self, replica):
        connection = http.client.HTTPConnection(replica.address, timeout=30)
        while not self.done.is_set():
            question = random.choice([self.catalog, self.catalog, self.times, self.refused, self.tool])
            try:
                why = question(connection)
            except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
                why = f"{question.__name__}: {error!r}"
                connection.close()
            with self.lock:
                self.asked += 1
                if why:
                    self.wrong.append(why)
            time.sleep(0.005)
        connection.close()

    @staticmethod
    def reply(connection, target, *rest):
        connection.request(*(("GET", target) if not rest else ("POST", target, *rest)))
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def catalog(self, connection):
        target = random.choice(CATALOG)
        status, headers, body = self.reply(connection, target)
        if status != 200:
            return f"{target}: {status}"
        with self.lock:
            known = self.bodies.setdefault((target, headers["Nameplate-Generation"]), body)
        return known != body and f"{target}: two bodies of one generation"

    def times(self, connection):
        began = time.monotonic()
        with self.lock:
            taken = [start for start, when in self.taken.items() if began > when + WORST]
        status, _, body = self.reply(connection, "/v1/availability?" + self.stage.asked())
        if status != 200 or not json.loads(body)["slots"]:
            return f"openings: {status} {body[:100]}"
        offered = [start for start in taken if shows(body, start)]
        return offered and f"{offered[0]} is offered {WORST} s after it was taken"

    def refused(self, connection):
        target, expected = random.choice(REFUSED)
        status, _, body = self.reply(connection, target)
        return (status != expected or sorted(json.loads(body)) != ["code", "message"]) and f"{target}: {status} {body[:100]}"

    def tool(self, connection):
        status, _, body = self.reply(connection, "/api/mcp", CALL, MCP)
        events = [json.loads(line[5:]) for line in body.decode().splitlines() if line.startswith("data:")] or [json.loads(body)]
        return (status != 200 or events[0]["result"].get("isError")) and f"get_provider: {status} {body[:100]}"

    def stop(self):
        self.done.set()
        for thread in self.threads:
            thread.join()


def day(stage):
    """in each hour an edit, changed times and the leader's death: every answer of every replica is right"""
    questions = Questions(stage)
    try:
        for hour in range(HOURS):
            edit(stage, hour)
            for _ in range(CHANGES):
                change(stage, questions)
            leader = stage.hand.leader()
            stage.cluster.kill(leader)
            change(stage, questions)
            stage.converged(60, f"hour {hour}: a replica does not come back after the death of a leader")
            stage.cluster.start(leader)
            stage.hand.retried(lambda: all_current(stage.hand), 60, "a server does not catch up")
            one_generation(stage, hour)
    finally:
        questions.stop()
    wrong = questions.wrong
    expect(not wrong, f"{len(wrong)} wrong answers of {questions.asked}, such as {wrong[:3]}")
    generations = len({generation for _, generation in questions.bodies})
    expect(generations > HOURS, f"{generations} generations were seen in {HOURS} hours")
    return f"{HOURS} hours, {questions.asked} answers of {generations} generations, {len(questions.taken)} times taken, none wrong"


def change(stage, questions):
    """Another time is open in place of the last one."""
    before = start_of(stage.number)
    stage.put()
    with questions.lock:
        questions.taken[before] = time.monotonic()


def edit(stage, hour):
    """The same edit in the folder of each replica."""
    for number in range(len(stage.replicas)):
        profile = stage.folder / f"replica{number}/content/providers/{CLINICIAN}.toml"
        text = re.sub(r'^display-name = ".*"', f'display-name = "Hour {hour} Okonkwo"', profile.read_text(), count=1, flags=re.M)
        written = profile.with_suffix(".new")
        written.write_text(text)
        written.replace(profile)


def one_generation(stage, hour):
    """All replicas serve the same edit."""
    served = lambda: {replica.get(f"/v1/providers/{CLINICIAN}")[2] for replica in stage.replicas}
    is_last = lambda: len(served()) == 1 and f"Hour {hour} ".encode() in next(iter(served()))
    stage.replicas[0].until(is_last, 60, f"hour {hour}: the replicas do not serve the same edit")
