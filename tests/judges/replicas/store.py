"""Three replicas that follow one object store, here moto's S3 on loopback: releases, a race, and a store that goes away."""

import json
import os
import re
import shutil
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from frame import LOGS, ROOT, Failed, Judge, end_group

STORE = "s3://larkspur/content"
SECRET = "a-secret-that-no-log-may-have"
REPLICAS = 3
PROFILE = "/v1/providers/jun-nakashima"


def expect(holds, what):
    if not holds:
        raise Failed(what)


def until(holds, seconds, what):
    end = time.monotonic() + seconds
    while not (found := holds()):
        expect(time.monotonic() < end, what)
        time.sleep(0.02)
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(address, target):
    """Status, headers and body; status 0 where nothing answers."""
    try:
        with urllib.request.urlopen(f"http://{address}{target}", timeout=10) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
    except OSError:
        return 0, {}, b""


class Door(socketserver.ThreadingTCPServer):
    """Leads connections to the store. While it is shut, the store is down for those behind it."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, port):
        self.target, self.is_open, self.streams = port, True, []
        super().__init__(("127.0.0.1", 0), None)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, _):
        if not self.is_open:
            return
        with socket.create_connection(("127.0.0.1", self.target)) as store:
            self.streams += [request, store]
            back = threading.Thread(target=self.copy, args=(store, request), daemon=True)
            back.start()
            self.copy(request, store)
            back.join()

    def handle_error(self, *_):
        """A connection that the store or a replica ends is nothing to report."""

    @staticmethod
    def copy(one, other):
        try:
            while part := one.recv(1 << 16):
                other.sendall(part)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def shut(self):
        self.is_open = False
        for stream in self.streams:
            try:
                stream.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.streams = []


class World:
    """The store, and what runs against it."""

    def __init__(self, binary, python, folder):
        self.binary, self.folder, self.running = binary, folder, []
        port = free_port()
        self.log = (LOGS / "replicas-store.log").open("ab")
        self.start([python, "-m", "moto.server", "-H", "127.0.0.1", "-p", port])
        bucket = urllib.request.Request(f"http://127.0.0.1:{port}/larkspur", method="PUT")

        def is_made():
            try:
                return urllib.request.urlopen(bucket, timeout=5).status == 200
            except OSError:
                return False

        until(is_made, 60, "moto does not start")
        self.door = Door(port)
        self.environment = {
            **os.environ, "AWS_ENDPOINT": f"http://127.0.0.1:{self.door.server_address[1]}", "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "us-east-1",
        }
        self.content = folder / "content"
        shutil.copytree(ROOT / "content", self.content)

    def start(self, command, environment=None, log=None):
        process = subprocess.Popen(
            [str(part) for part in command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log or self.log, stderr=log or self.log,
            env=environment, start_new_session=True,
        )
        self.running.append(process)
        return process

    def stop(self):
        for process in self.running:
            end_group(process)
            process.wait()
        self.door.shutdown()
        self.log.close()

    def edit(self, name, content=None):
        file = (content or self.content) / "providers/jun-nakashima.toml"
        file.write_text(re.sub(r'name = "\w+ ', f'name = "{name} ', file.read_text(), count=1))

    def publishing(self, *arguments, content=None):
        command = [self.binary, "publish", content or self.content, STORE, *arguments]
        return subprocess.Popen(
            list(map(str, command)), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=self.environment, text=True,
        )

    def publish(self, *arguments, code=0, content=None):
        process = self.publishing(*arguments, content=content)
        printed, _ = process.communicate(timeout=150)
        expect(process.returncode == code, f"publish: exit {process.returncode}: {printed.strip()[-200:]}")
        return printed


class Replica:
    """A service that follows the store."""

    def __init__(self, world, name, cache=True):
        self.address, self.admin = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
        self.path = world.folder / f"{name}.log"
        command = [
            world.binary, "serve", "--content", STORE, "--content-poll", "1s", "--listen", self.address, "--admin", self.admin,
        ]
        if cache:
            command += ["--content-cache", world.folder / f"cache-{name}"]
        with self.path.open("ab") as log:
            self.process = world.start(command, world.environment, log)

    def ready(self):
        status, _, body = get(self.admin, "/readyz")
        return status, json.loads(body or b"{}")

    def generation(self):
        return get(self.address, PROFILE)[1].get("Nameplate-Generation")

    def wait(self, seconds=60):
        until(lambda: self.ready()[0] == 200, seconds, f"a replica is not ready: {self.path.read_text()[-300:]}")
        return self.ready()[1]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def generation_in(printed):
    return re.search(r"generation ([0-9a-f]{16})", printed).group(1)


def swaps(world, replicas):
    """Publishes an edit. How long until all serve it, and how long after the first of them."""
    world.edit("Juno")
    generation = generation_in(world.publish())
    published = time.time()
    at = [0.0] * len(replicas)

    def watch(number):
        until(lambda: replicas[number].generation() == generation, 60, "a replica does not follow")
        at[number] = time.time()

    threads = [threading.Thread(target=watch, args=(number,)) for number in range(len(replicas))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(all(at), "a replica does not follow")
    listed = subprocess.run(
        [world.binary, "publish", "--list", STORE], env=world.environment, capture_output=True, text=True, timeout=60, check=True
    ).stdout
    expect(generation in listed.splitlines()[1], f"the list: {listed}")
    return max(at) - published, max(at) - min(at)


def race(world):
    """Two publishers at once, five times: as many releases as successes, and each loser learns of it."""
    contents = []
    for name in ("Ada", "Bea"):
        contents.append(world.folder / name)
        shutil.copytree(world.content, contents[-1])
    refused = 0
    count = lambda: len(
        subprocess.run([world.binary, "publish", "--list", STORE], env=world.environment, capture_output=True, timeout=60).stdout.splitlines()
    )
    for turn in range(5):
        before = count()
        for content, name in zip(contents, ("Ada", "Bea")):
            world.edit(name + "abc"[turn % 3], content)
        running = [world.publishing(content=content) for content in contents]
        ended = [(process.communicate(timeout=150)[0], process.returncode) for process in running]
        created = sum(code == 0 for _, code in ended)
        for printed, code in ended:
            expect(code == 0 or (code == 1 and "was published in the meantime by" in printed), f"exit {code}: {printed[-200:]}")
            refused += code == 1
        expect(count() - before == created >= 1, f"{created} succeeded, and there are {count() - before} more releases")
    return refused


def store(stage, needs):
    with tempfile.TemporaryDirectory(prefix="nameplate-replicas-") as folder:
        world = World(stage.binary, needs.python("moto"), Path(folder))
        try:
            return run(world)
        finally:
            world.stop()


def run(world):
    first = generation_in(world.publish())
    replicas = [Replica(world, f"replica-{number}") for number in range(REPLICAS)]
    for replica in replicas:
        expect(replica.wait()["content"]["source"] == "store", "it does not say that its content is of the store")
        expect(replica.generation() == first, "it serves another generation than was published")
    all_serve, spread = swaps(world, replicas)
    refused = race(world)

    world.door.shut()
    until(lambda: all(replica.ready()[1]["store"]["lastError"] for replica in replicas), 60, "no replica notices that the store is down")
    served = replicas[0].generation()
    expect(all(replica.ready()[0] == 200 for replica in replicas), "a replica is not ready while the store is down")
    world.publish(code=2)
    replicas[0].kill()
    began = time.monotonic()
    replicas[0] = Replica(world, "replica-0")
    state = replicas[0].wait()
    from_cache = time.monotonic() - began
    expect(state["content"]["source"] == "cache", f"it says that its content is of the {state['content']['source']}")
    bare = Replica(world, "bare", cache=False)
    until(lambda: (bare.ready()[1].get("store") or {}).get("lastError"), 60, "a replica without a cache does not say why it waits")
    expect(bare.ready()[0] == 503, "a replica without content is ready")

    world.door.is_open = True
    bare.wait()
    world.edit("June")
    last = generation_in(world.publish("--wait", f"http://{replicas[1].address}"))
    for replica in [*replicas, bare]:
        until(lambda: replica.generation() == last, 60, "a replica does not follow after the store is back")
        until(lambda: replica.ready()[1]["content"]["source"] == "store", 30, "it does not see that the store is back")
    back = subprocess.run(
        [world.binary, "publish", "--rollback", first, STORE], env=world.environment, capture_output=True, text=True, timeout=60
    )
    expect(back.returncode == 0, f"rollback: {back.stderr[-200:]}")
    for replica in replicas:
        until(lambda: replica.generation() == first, 60, "a replica does not go back")
    logs = "".join(path.read_text() for path in world.folder.glob("*.log"))
    expect(SECRET not in logs, "a log has the secret")
    expect(served is not None, "a replica does not answer while the store is down")
    return (
        f"{REPLICAS} replicas: served {all_serve:.1f} s after publish, spread {spread * 1000:.0f} ms;"
        f" {refused} of 5 races reported; from cache in {from_cache:.1f} s"
    )


ALL = [Judge("replicas-store", store, "moto", "moto")]
