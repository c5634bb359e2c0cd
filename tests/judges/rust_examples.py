"""The documentation's Rust examples: copied from the pages as a reader would, compiled and run as they are."""

import html
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from frame import CACHE, LOGS, ROOT, Failed, Judge, Skipped, bounded, end_group

OPERATIONS = [
    "list-states", "list-insurances", "search-providers", "get-provider", "list-appointment-types", "check-availability"
]


def examples(stage, needs):
    """One package with a program for each operation; its dependencies are those that the examples name."""
    if not shutil.which("cargo"):
        raise Skipped("cargo is not installed")
    with tempfile.TemporaryDirectory() as folder:
        process, site = served(stage.binary, Path(folder))
        try:
            codes = {name: example(site, name) for name in OPERATIONS}
            package = CACHE / "rust-examples"
            shutil.rmtree(package / "src", ignore_errors=True)
            (package / "src/bin").mkdir(parents=True)
            for name, code in codes.items():
                (package / f"src/bin/{name}.rs").write_text(code)
            added = {code.splitlines()[0].removeprefix("// ") for code in codes.values()}
            if len(added) != 1:
                raise Failed(f"the examples name different dependencies: {sorted(added)}")
            # The empty table makes it no part of the workspace around it.
            manifest = '[package]\nname = "examples"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n'
            (package / "Cargo.toml").write_text(manifest)
            environment = {"CARGO_TARGET_DIR": str(package / "target")}
            try:
                bounded(["bash", "-c", added.pop()], "rust-examples", 120, cwd=package, environment=environment)
                bounded(["cargo", "fetch"], "rust-examples", 240, cwd=package, environment=environment)
            except Failed as why:
                raise Skipped(f"the dependencies are unavailable: {why}") from why
            bounded(["cargo", "build", "--offline"], "rust-examples", 600, cwd=package, environment=environment)
            for name, code in codes.items():
                program = package / "target/debug" / name
                said = subprocess.run([program], capture_output=True, text=True, timeout=30, check=False)
                if said.returncode:
                    raise Failed(f"{name}: {said.stderr.strip()[:160]}")
                with urllib.request.urlopen(re.search(r'get\("([^"]+)"', code).group(1), timeout=30) as answer:
                    if json.loads(said.stdout) != json.load(answer):
                        raise Failed(f"{name} prints something else than the API says")
        finally:
            end_group(process)
            process.wait()
    return f"{len(codes)} examples compiled and ran unedited"


def example(site, name):
    """The code that the page shows, as a browser's clipboard would get it."""
    with urllib.request.urlopen(f"{site}/docs/{name}", timeout=30) as page:
        text = page.read().decode()
    found = re.search(rf'id="{name.replace("-", "_")}-rust"[^>]*>(.*?)</code>', text, re.S)
    if not found:
        raise Failed(f"/docs/{name} shows no Rust")
    return html.unescape(re.sub(r"<[^>]+>", "", found.group(1)))


def served(binary, folder):
    """The demo under the addresses where it is really served: copied examples must run as they are."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    site = f"http://{address}"
    shutil.copytree(ROOT / "content", folder / "content")
    organization = folder / "content/directory.toml"
    text = re.sub(r'(?m)^((?:api|site)-url\s*=\s*)".*?"', rf'\1"{site}"', organization.read_text())
    text = re.sub(r'(?m)^(mcp-url\s*=\s*)".*?"', rf'\1"{site}/api/mcp"', text)
    organization.write_text(text)
    command = [binary, "dev", "--content", folder / "content", "--out", folder / "dist", "--listen", address]
    LOGS.mkdir(parents=True, exist_ok=True)
    with (LOGS / "rust-examples-dev.log").open("ab") as log:
        process = subprocess.Popen(
            list(map(str, command)), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env={**os.environ, "NO_COLOR": "1"}, start_new_session=True,
        )
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"{site}/docs", timeout=10):
                return process, site
        except OSError:
            time.sleep(0.1)
    end_group(process)
    raise Failed("the demo does not start; see rust-examples-dev.log")


ALL = [Judge("rust-examples", examples)]
