"""The servers of the host suite: live with the demo clinic, nginx before it, and how they are asked."""

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import time

NOW = "2026-11-21T12:00:00Z"
SLOTS = ("/v1/availability?state=AZ&limit=5", "/v1/availability?state=new+york&appointmentType=101&horizonDays=99")


class Missing(Exception):
    """The host's own program is not on this machine."""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def running(command, log, port, patience=90, **options):
    """A server in its own process group, from its first accepted connection until the block ends."""
    with open(log, "ab") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    try:
        for _ in range(patience * 10):
            if process.poll() is not None:
                raise RuntimeError(f"{command[0]} ended with {process.returncode}; see {log}")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        else:
            raise RuntimeError(f"{command[0]} did not listen within {patience} s; see {log}")
        yield process
    finally:
        stop(process)


def stop(process):
    """Ends a server and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def has(self, name):
        return self.headers.get(name)


def ask(port, target, method="GET", headers=None, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
    try:
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        return Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def wait_for_answers(port, patience=60):
    """Some hosts listen before they can answer. What one never answers, the suite's questions find."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if ask(port, "/v1/states").status == 200:
                return
        time.sleep(0.2)


class Product:
    """The program, and the demo clinic with live at a port of this machine."""

    def __init__(self, binary, folder, root):
        self.binary, self.folder, self.bodies = binary, folder, {}
        self.live_port = free_port()
        self.content = folder / "content"
        shutil.copytree(root / "content", self.content)
        self.find_live_at(f"http://127.0.0.1:{self.live_port}")

    def find_live_at(self, url):
        file = self.content / "directory.toml"
        lines = [line for line in file.read_text().splitlines() if not line.startswith("live-url")]
        at = next(i for i, line in enumerate(lines) if line.startswith("site-url"))
        lines.insert(at + 1, f'live-url = "{url}"')
        file.write_text("\n".join(lines) + "\n")

    def build(self, target):
        out = self.folder / f"dist-{target}"
        subprocess.run([self.binary, "build", "--content", self.content, "--out", out, "--target", target],
                       check=True, capture_output=True)
        return out

    def body(self, question):
        """What is right. It can't change: the content and the moment are given."""
        if question not in self.bodies:
            done = subprocess.run([self.binary, "query", question, "--content", self.content, "--now", NOW],
                                  capture_output=True, check=False)
            self.bodies[question] = done.stdout
        return self.bodies[question]

    def live(self, log, settings="", port=None):
        file, port = self.folder / "nameplate.toml", port or self.live_port
        file.write_text(settings)
        return running([self.binary, "serve", "--config", file, "--content", self.content, "--now", NOW,
                        "--listen", f"127.0.0.1:{port}"], log, port)


def cache_of(dist):
    """The name of the cache, which the first line of the included file has."""
    return re.search(r"keys_zone=(\S+?):", (dist / "_nginx/http.conf").read_text()).group(1)


@contextlib.contextmanager
def nginx(product, dist, port, _tools, log, server=""):
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not program:
        raise Missing("nginx")
    at = product.folder / "nginx"
    at.mkdir()
    (at / "nginx.conf").write_text(f"""
daemon off; master_process off; pid {at}/pid; error_log {at}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  types {{ text/html html; text/css css; text/javascript js; application/json json; application/xml xml; font/woff2 woff2; text/plain txt; image/svg+xml svg; image/png png; image/webp webp; }}
  client_body_temp_path {at}/body; proxy_temp_path {at}/proxy; fastcgi_temp_path {at}/fastcgi;
  uwsgi_temp_path {at}/uwsgi; scgi_temp_path {at}/scgi;
  proxy_cache_path {at}/cache keys_zone={cache_of(dist)}:1m;
  proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
  include {dist}/_nginx/http.conf;
  server {{ listen 127.0.0.1:{port}; root {dist}; {server} include {dist}/_nginx/server.conf; }}
}}
""")
    with running([program, "-e", str(at / "error.log"), "-c", str(at / "nginx.conf")], log, port):
        yield
