"""Judges what a release publishes: packed by its script, installed from files into empty folders, and started."""

import functools
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from frame import CACHE, ROOT, Failed, Judge, Skipped, bounded, end_group

LOG = "installs"
RELEASE = [sys.executable, ROOT / "deploy/release/release.py"]
# A slow machine has this long; a program that hangs must not hang everything.
BOUND = 120


def packed(binary, out):
    """A release of this machine's platform alone. What debuggers read is left out, since a release's program has none."""
    system = {"Linux": "unknown-linux-musl", "Darwin": "apple-darwin"}[platform.system()]
    target = f"{platform.machine().replace('arm64', 'aarch64')}-{system}"
    program = out.parent / "nameplate"
    shutil.copy(binary, program)
    # On macOS it would break the program's signature.
    if shutil.which("strip") and platform.system() == "Linux":
        bounded(["strip", program], LOG, BOUND)
    bounded([*RELEASE, "pack", target, program, out], LOG, BOUND)
    bounded([*RELEASE, "gather", out], LOG, BOUND)
    return target


def shows_its_first_page(command, environment=None):
    """Seconds from a command to the demo's first page; then it's stopped, and leaves nothing."""
    with tempfile.TemporaryDirectory() as temporary:
        environment = {**os.environ, "TMPDIR": temporary, **(environment or {})}
        started = time.monotonic()
        process = subprocess.Popen(
            [*map(str, command), "demo"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment,
            start_new_session=True,
        )
        guard = threading.Timer(BOUND, end_group, [process])
        guard.start()
        try:
            found = None
            said = ""
            while not found and (line := process.stderr.readline()):
                said += line
                found = re.search(r"\b(?:at|on) (http://\S+)", line)
            if not found:
                raise Failed(f"{command[0]} shows no address: {said[:160]}")
            with urllib.request.urlopen(found.group(1), timeout=BOUND) as answer:
                if b"Larkspur Health" not in answer.read():
                    raise Failed(f"{command[0]} shows another page")
            seconds = time.monotonic() - started
            # A process manager stops only what it started.
            process.send_signal(signal.SIGTERM)
            if process.wait(BOUND) != 0:
                raise Failed(f"{command[0]} ends with {process.returncode}")
            if os.listdir(temporary):
                raise Failed(f"{command[0]} leaves {os.listdir(temporary)}")
            return seconds
        finally:
            guard.cancel()
            end_group(process)
            process.stderr.close()


def says(command, sentence, code, environment=None):
    """A command is refused with one line that contains a sentence."""
    said = bounded(command, LOG, BOUND, environment=environment, accept=(code,)).splitlines()
    if len(said) != 1 or sentence not in said[0]:
        raise Failed(f"instead of '{sentence}': {said}"[:300])


def by_npm(folder, out):
    if not shutil.which("npm"):
        raise Skipped("npm is not installed")
    quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier"]
    (folder / "package.json").write_text("{}")
    bounded(["npm", "install", *quiet, *sorted(out.glob("npm-*.tgz"))], LOG, BOUND, cwd=folder)
    command = folder / "node_modules/.bin/nameplate"
    seconds = shows_its_first_page([command])
    program = next(folder.glob("node_modules/@*/nameplate-*/nameplate"))
    program.chmod(0o644)
    says([command, "--version"], "can't run here (EACCES)", 2)
    shutil.rmtree(program.parent)
    says([command, "--version"], "isn't installed: install @", 2)
    other = folder / "other.js"
    other.write_text("Object.defineProperty(process, 'arch', { value: 'mips' });")
    says([command, "--version"], "There is no program for ", 2, {"NODE_OPTIONS": f"--require={other}"})
    return seconds


def by_pip(folder, out):
    try:
        bounded([sys.executable, "-m", "venv", folder / "venv"], LOG, BOUND)
    except Failed as why:
        raise Skipped(f"no venv: {why}") from why
    wheel, = out.glob("*.whl")
    pip = [folder / "venv/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    bounded([*pip, "install", "--no-index", wheel], LOG, BOUND)
    seconds = shows_its_first_page([folder / "venv/bin/nameplate"])
    bounded([*pip, "check"], LOG, BOUND)
    bounded([*pip, "uninstall", "--yes", "nameplate"], LOG, BOUND)
    if (folder / "venv/bin/nameplate").exists():
        raise Failed("the wheel's list of files lacks the program")
    return seconds


def by_script(folder, out, target):
    """From a loopback server; then each thing that can go wrong."""
    handler = functools.partial(Quiet, directory=out.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            return run_script(folder, out, target, f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()


def run_script(folder, out, target, releases):
    prefix = folder / "in a folder"
    environment = {"PREFIX": str(prefix), "NAMEPLATE_RELEASES": releases, "no_proxy": "*"}
    command = ["sh", out / "install.sh"]
    said = bounded(command, LOG, BOUND, environment=environment)
    if "Next: nameplate demo" not in said:
        raise Failed(f"install.sh says {said[:160]}")
    program = prefix / "bin/nameplate"
    seconds = shows_its_first_page([program])
    tools = folder / "tools"
    tools.mkdir()
    (tools / "uname").write_text("#!/bin/sh\necho Plan9 mips\n")
    (tools / "uname").chmod(0o755)
    sums = out / "SHA256SUMS"
    right = sums.read_text()
    for sentence, change in [
        ("Cannot download http://127.0.0.1:1/", {"NAMEPLATE_RELEASES": "http://127.0.0.1:1"}),
        ("v9.9.9/SHA256SUMS doesn't exist: check the version", {"NAMEPLATE_VERSION": "9.9.9"}),
        ("There is no program for Plan9 mips", {"PATH": f"{tools}:{os.environ['PATH']}"}),
        ("/dev/null/bin can't be written: set PREFIX", {"PREFIX": "/dev/null"}),
        ("The checksum of nameplate-v", {}),
    ]:
        if not change:
            sums.write_text("".join(f"{'0' * 64}{line[64:]}\n" for line in right.splitlines()))
        program.write_text("what was here before")
        says(command, sentence, 1, {**environment, **change})
        if program.read_text() != "what was here before" or len(os.listdir(program.parent)) != 1:
            raise Failed(f"'{sentence}', but something is left in the folder")
    sums.write_text(right)
    return seconds


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def installs(stage, needs):
    """Packs this platform's program, and installs it by npm, by pip and by install.sh."""
    folder = CACHE / "installs"
    shutil.rmtree(folder, ignore_errors=True)
    version = re.search(r'(?m)^version = "(.*)"', (ROOT / "Cargo.toml").read_text()).group(1)
    out = folder / f"v{version}"
    out.mkdir(parents=True)
    target = packed(stage.binary, out)
    formula = (out / "nameplate.rb").read_text()
    archive = next(line.split() for line in (out / "SHA256SUMS").read_text().splitlines() if target in line)
    if any(f'{value}"' not in formula for value in archive):
        raise Failed("the formula has another archive or checksum")
    seconds, missing = {}, []
    for name, install in [("npm", by_npm), ("pip", by_pip), ("install.sh", functools.partial(by_script, target=target))]:
        place = folder / name
        place.mkdir()
        try:
            seconds[name] = install(place, out)
        except Skipped as why:
            missing.append(str(why))
    if missing:
        raise Skipped("; ".join(missing))
    shutil.rmtree(folder)
    return "first page after " + ", ".join(f"{seconds[name]:.1f} s ({name})" for name in seconds)


ALL = [Judge("installs", installs)]


if __name__ == "__main__":
    # The release workflow judges each platform's own program.
    class Program:
        binary = Path(sys.argv[1]).resolve()

    CACHE.mkdir(exist_ok=True)
    print(installs(Program, None))
