"""What the judges stand on: bounded processes, installations, and the demo that is judged."""

import hashlib
import json
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = HERE / ".cache"
LOGS = CACHE / "logs"
# The moment of the demo: judges that ask twice must be answered alike. A Monday morning in California.
NOW = "2026-03-02T15:00:00Z"
# No installation takes longer; a registry that hangs must not hang everything.
INSTALLATION = 240


class Skipped(Exception):
    """The judge can't run here."""


class Failed(Exception):
    """The judge found something."""


@dataclass
class Judge:
    """A judge: `run` gives its figure, or raises Failed or Skipped."""

    name: str
    run: Callable
    needs: str | None = None
    package: str | None = None
    fixed_version: str = "-"

    def version(self, needs):
        return needs.version(self.needs, self.package) if self.package else self.fixed_version


def bounded(command, log, seconds, cwd=None, environment=None, accept=(0,)):
    """Runs a command, its output to a log and given back. What it started ends with it, at the latest in time."""
    LOGS.mkdir(parents=True, exist_ok=True)
    path = LOGS / f"{log}.log"
    environment = {**os.environ, "NO_COLOR": "1", "CI": "1", "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
    with path.open("ab") as output:
        output.write(f"$ {' '.join(map(str, command))}\n".encode())
        output.flush()
        start = output.tell()
        try:
            process = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                cwd=cwd, env=environment, start_new_session=True,
            )
        except OSError as error:
            raise Skipped(f"{command[0]}: {error.strerror}") from error
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            end_group(process)
    text = path.read_bytes()[start:].decode(errors="replace")
    if code is None:
        raise Failed(f"not done after {seconds} s; see {path.relative_to(ROOT)}")
    if code not in accept:
        raise Failed(f"exit {code}: {reason(text)} (see {path.relative_to(ROOT)})")
    return text


def reason(text):
    """What a command said of its failure: its errors, since CI keeps no logs, and its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = []
    for number, line in enumerate(lines):
        if " FAILED " in line:
            errors += lines[number:number + 3]
        elif line.startswith("error") or "No space left" in line:
            errors.append(line)
    return " | ".join(dict.fromkeys(line[:300] for line in errors[:6] + lines[-1:]))


def end_group(process):
    """Ends a process and what it started: they are a separate session."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            return
        for _ in range(30):
            if process.poll() is not None:
                break
            time.sleep(0.1)


class Needs:
    """What judges are installed from: `needs/<name>/` for npm, `needs/<name>.txt` for pip, exactly pinned."""

    def __init__(self, judges):
        self.names = list(dict.fromkeys(judge.needs for judge in judges if judge.needs))
        self.refused = {}

    def install_all(self, kind):
        hung = False
        for name in self.names:
            if (kind == "npm") != (HERE / "needs" / name).is_dir():
                continue
            try:
                if hung:
                    raise Skipped(f"{name} is not installed: the registry did not answer")
                self.install_npm(name) if kind == "npm" else self.install_pip(name)
            except (Skipped, Failed) as why:
                hung = hung or "not done after" in str(why)
                self.refused[name] = f"not installable: {why}"

    def folder(self, name):
        """The folder of an installation; its name changes with what is required."""
        if name in self.refused:
            raise Skipped(self.refused[name])
        sources = sorted((HERE / "needs" / name).glob("*.json")) or [HERE / "needs" / f"{name}.txt"]
        asked = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
        return CACHE / f"{name}-{asked}"

    def fresh(self, name):
        """The folder, emptied, unless it is complete."""
        folder = self.folder(name)
        if (folder / "complete").exists():
            return None
        for old in CACHE.glob(f"{name}-*"):
            shutil.rmtree(old)
        folder.mkdir(parents=True)
        return folder

    def install_npm(self, name):
        folder = self.fresh(name)
        if folder:
            for file in (HERE / "needs" / name).glob("*.json"):
                shutil.copy(file, folder)
            # Nothing that comes from these registries is run while it is installed.
            quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retries=1"]
            # Wrangler's lock would have to name packages of systems that not every registry has.
            how = "ci" if (folder / "package-lock.json").exists() else "install"
            bounded(["npm", how, *quiet, "--fetch-timeout=30000"], f"install-{name}", INSTALLATION, cwd=folder)
            (folder / "complete").touch()

    def install_pip(self, name):
        folder = self.fresh(name)
        if folder:
            log = f"install-{name}"
            bounded([sys.executable, "-m", "venv", folder / "venv"], log, 90)
            quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "30"]
            requirements = HERE / "needs" / f"{name}.txt"
            pip = [folder / "venv/bin/python", "-m", "pip", "install", *quiet, "--no-deps", "-r", requirements]
            bounded(pip, log, INSTALLATION)
            (folder / "complete").touch()

    def python(self, name, program="python"):
        return self.folder(name) / "venv/bin" / program

    def node_modules(self, name):
        return self.folder(name) / "node_modules"

    def node(self):
        """Node 22: what the machine has, or what came from the registry."""
        found = shutil.which("node")
        if found:
            version = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=20).stdout
            if int(re.match(r"v(\d+)", version).group(1)) >= 22:
                return Path(found)
        kind = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "none")
        node = self.node_modules("mcp") / f"node-linux-{kind}" / "bin/node"
        if not node.exists():
            raise Skipped("Node 22 is not here")
        return node

    def version(self, name, package):
        folder = self.folder(name)
        manifest = folder / "node_modules" / package / "package.json"
        if manifest.exists():
            return json.loads(manifest.read_text())["version"]
        pins = (HERE / "needs" / f"{name}.txt").read_text()
        return re.search(rf"(?mi)^{re.escape(package)}==(\S+)", pins).group(1)


class Stage:
    """A clinic, the demo if no other is named: built, and served on loopback."""

    def __init__(self, content=ROOT / "content", tree=CACHE / "dist", now=NOW, binary=None):
        self.process = None
        self.content = content
        self.tree = tree
        self.now = now
        self.url = None
        self.binary = binary

    def build(self):
        self.binary = self.binary or os.environ.get("NAMEPLATE")
        if not self.binary:
            bounded(["cargo", "build", "--locked", "--all-features"], "build", 1500, cwd=ROOT)
            target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
            self.binary = str(target / "debug/nameplate")
        build = [self.binary, "build", "--content", self.content, "--out", self.tree, "--force"]
        bounded(build, "build", 120, cwd=ROOT)

    def start(self):
        """A free port is found by asking for one; if another program takes it, another port is tried."""
        for _ in range(3):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                address = f"127.0.0.1:{probe.getsockname()[1]}"
            self.url = f"http://{address}"
            with (LOGS / "serve.log").open("ab") as log:
                command = [self.binary, "serve", "--content", str(self.content), "--listen", address, "--now", self.now]
                command += ["--static", str(self.tree)] if self.tree else []
                self.process = subprocess.Popen(
                    command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
                )
            for _ in range(200):
                if self.process.poll() is not None:
                    break
                try:
                    self.get("/v1/states")
                    return
                except OSError:
                    time.sleep(0.1)
            self.stop()
        raise Failed(f"{self.content.name} is not served; see {LOGS.relative_to(ROOT)}/serve.log")

    def stop(self):
        if self.process:
            end_group(self.process)
            self.process.wait()
            self.process = None

    def get(self, target):
        """The body of a GET, byte for byte."""
        with urllib.request.urlopen(self.url + target, timeout=30) as response:
            return response.read()

    def mcp(self, method, params):
        """A legacy request, answered as JSON."""
        message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        headers = {"content-type": "application/json", "accept": "application/json"}
        request = urllib.request.Request(self.url + "/api/mcp", message, headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read())
