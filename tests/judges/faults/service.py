"""The program as a service, for the faults."""

import os
import http.client
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class Wrong(Exception):
    """What was promised did not happen."""


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """The program, serving a content folder with some settings."""

    def __init__(self, nameplate, folder, content, settings="", arguments=(), log=None):
        self.address, self.admin = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
        config = folder / "nameplate.toml"
        config.write_text(f'content = "{content}"\nlisten = "{self.address}"\nadmin = "{self.admin}"\n{settings}')
        self.log = folder / "serve.log"
        with self.log.open("ab") as file:
            command = [nameplate, "serve", "--config", config, *arguments]
            out = file if log is None else log
            # As in the shipped unit.
            env = os.environ | {"MIMALLOC_PURGE_DELAY": "0"}
            self.process = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=out, stderr=out, env=env)
        try:
            self.until(lambda: self.get("/healthz")[0] == 200, 60, "it does not start")
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def get(self, target, admin=False, seconds=10):
        """Status, headers and body; status 0 without an answer in these seconds."""
        try:
            host = self.admin if admin else self.address
            with urllib.request.urlopen(f"http://{host}{target}", timeout=seconds) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()
        except (OSError, http.client.HTTPException):
            return 0, {}, b""

    def until(self, holds, seconds, what):
        """Waits until it holds, and returns what was found."""
        end = time.monotonic() + seconds
        while not (found := holds()):
            expect(self.process.poll() is None, f"the service ended: {self.log.read_text()[-300:]}")
            expect(time.monotonic() < end, what)
            time.sleep(0.05)
        return found

    def peak(self):
        """The most memory it ever had, in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Wrong("it does not end when it is asked to") from None
        if sys.exc_info()[0] is None:
            expect(code == 0, f"it ended with {code}")


def copy_of_content(folder):
    content = folder / "content"
    shutil.copytree(ROOT / "content", content)
    return content
