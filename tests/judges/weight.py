"""What the program weighs: how much a newcomer compiles and a reader reads. Only packages make it fail, never time."""

import resource
import subprocess
import tempfile
from pathlib import Path

from frame import ROOT, Failed, Judge, bounded

MOST_PACKAGES = 230


def weight(stage, needs):
    """Packages of the default build, processor seconds of a cold first command, lines of product Rust."""
    tree = ["cargo", "tree", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
    packages = {" ".join(line.split()[:2]) for line in bounded(tree, "weight", 60, cwd=ROOT).splitlines() if line}
    if len(packages) > MOST_PACKAGES:
        raise Failed(f"{len(packages)} packages in the default build, at most {MOST_PACKAGES}")
    with tempfile.TemporaryDirectory() as target:
        before = processor_seconds()
        build = ["nice", "-n", "19", "cargo", "build", "--locked"]
        bounded(build, "weight", 1800, cwd=ROOT, environment={"CARGO_TARGET_DIR": target})
        seconds = processor_seconds() - before
    code, comments = lines()
    return f"{len(packages)} packages, {seconds:.0f} processor seconds cold, {code} lines of code, {comments} of comments"


def processor_seconds():
    """Of every process that this one has run and that has ended. The other judges run before or after, not at the same time."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def lines():
    """The product's lines without blank ones, tests, benches and fuzz targets: code, and comments."""
    listed = subprocess.run(["git", "ls-files", "*.rs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    code = comments = 0
    for path in map(Path, listed.split()):
        if path.parts[0] in ("tests", "benches", "fuzz") or "tests" in path.parts[:-1]:
            continue
        if any(word in path.name for word in ("test", "oracle", "traps")):
            continue
        for line in (ROOT / path).read_text().split("#[cfg(test)]\nmod tests {")[0].split("\n"):
            comments += line.strip().startswith("//")
            code += bool(line.strip()) and not line.strip().startswith("//")
    return code, comments


ALL = [Judge("weight", weight)]
