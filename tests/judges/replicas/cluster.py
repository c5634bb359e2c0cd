"""Three NATS servers on loopback, a bucket in them, and a writer by hand."""

import asyncio
import json
import signal
import subprocess
import threading
import time
from datetime import datetime, timezone

import nats
from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig, StorageType

from service import expect, free_port

NAME = "nameplate"
STREAM = f"KV_{NAME}"


class Cluster:
    """Three servers with JetStream, each in its own folder. Each put is on disk before it is acknowledged."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.clients = [free_port() for _ in range(3)]
        self.routes = [free_port() for _ in range(3)]
        self.processes = [None] * 3
        self.log = (folder / "servers.log").open("ab")

    @property
    def url(self):
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.clients)

    def start(self, number):
        routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in self.routes)
        config = self.folder / f"n{number}.conf"
        config.write_text(
            f'server_name: "n{number}"\nlisten: "127.0.0.1:{self.clients[number]}"\n'
            f'jetstream {{ store_dir: "{self.folder}/n{number}", sync_interval: always, max_mem: 64MB, max_file: 512MB }}\n'
            f'cluster {{ name: "judge", listen: "127.0.0.1:{self.routes[number]}", routes: [{routes}] }}\n'
        )
        command = [str(self.program), "-c", str(config)]
        self.processes[number] = subprocess.Popen(command, stdout=self.log, stderr=self.log)

    def kill(self, number, sign=signal.SIGKILL):
        process = self.processes[number]
        process.send_signal(sign)
        process.wait(30)
        self.processes[number] = None

    def __enter__(self):
        for number in range(3):
            self.start(number)
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process:
                process.kill()
                process.wait()
        self.log.close()


class Hand:
    """A client of the servers, with a thread for its loop."""

    def __init__(self, cluster):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.js = self.run(self.connect(cluster.url.split(",")), 60)

    async def connect(self, servers):
        async def quiet(_):
            pass

        self.client = await nats.connect(
            servers, max_reconnect_attempts=-1, reconnect_time_wait=0.2, ping_interval=2, error_cb=quiet
        )
        return self.client.jetstream(timeout=2)

    def run(self, work, seconds=10):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    def retried(self, work, seconds, what):
        """Until it succeeds: the servers elect a leader in the meantime."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.run(work())
            except (NatsError, TimeoutError, OSError) as why:
                expect(time.monotonic() < end, f"{what}: {why!r}")
                time.sleep(0.1)

    def make_bucket(self):
        config = KeyValueConfig(
            bucket=NAME, history=1, replicas=3, storage=StorageType.FILE, max_bytes=128 << 20, max_value_size=1 << 20
        )
        self.retried(lambda: self.js.create_key_value(config), 60, "the bucket is not made")

    def delete_bucket(self):
        self.retried(lambda: self.js.delete_stream(STREAM), 60, "the bucket is not deleted")

    def put(self, key, value):
        """One put, acknowledged."""
        self.run(self.js.publish(f"$KV.{NAME}.{key}", value, timeout=2))

    def put_sometime(self, key, value, headers=None):
        """Puts the same value until it is acknowledged."""
        put = lambda: self.js.publish(f"$KV.{NAME}.{key}", value, timeout=2, headers=headers)
        self.retried(put, 60, f"no put of {key} is acknowledged")

    def get(self, key):
        return self.retried(lambda: self.js.get_last_msg(STREAM, f"$KV.{NAME}.{key}"), 60, f"{key} cannot be read").data

    def last(self):
        """The number of the stream's last message."""
        return self.retried(lambda: self.js.stream_info(STREAM), 60, "the stream cannot be read").state.last_seq

    def leader(self):
        return self.retried(self.info, 60, "the bucket has no leader")

    async def info(self):
        info = await self.js.stream_info(STREAM)
        if not info.cluster or not info.cluster.leader:
            raise TimeoutError
        return int(info.cluster.leader[1:])

    def close(self):
        try:
            self.run(self.client.close())
        finally:
            self.loop.call_soon_threadsafe(self.loop.stop)


class Beats:
    """Beats for a site whose keys are put by hand."""

    def __init__(self, hand, site, every=1.0):
        self.hand, self.site, self.done = hand, site, threading.Event()
        self.every = every
        self.thread = threading.Thread(target=self.beat, daemon=True)
        self.thread.start()

    def beat(self):
        while not self.done.is_set():
            value = {"asOf": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "mode": "open"}
            try:
                self.hand.put(f"{self.site}.beat", json.dumps(value).encode())
            except Exception:  # No leader: the next one may come through.
                pass
            self.done.wait(self.every)

    def stop(self):
        self.done.set()
        self.thread.join(20)
