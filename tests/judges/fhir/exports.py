"""What is judged: the demo's export and that of the cases, each built and exported as an operator would."""

import re
import shutil
import tomllib
from dataclasses import dataclass, field

from frame import CACHE, NOW, ROOT, Failed, Stage, bounded

CASES = ROOT / "tests/cases/standards"
CASES_NOW = "2026-11-22T18:00:00Z"
FOLDER = CACHE / "standards"


@dataclass
class Export:
    """A clinic's files for other systems, by their paths, as `build` and `export` wrote them."""

    stage: Stage
    name: str
    api: str
    bodies: dict = field(default_factory=dict)


def all_of(stage):
    """The demo, if it has [standards], and the cases. Made once for each stage."""
    made = getattr(stage, "exports", None)
    if made is None:
        shutil.rmtree(FOLDER, ignore_errors=True)
        made = [export(stage, "cases", CASES / "content", CASES_NOW)]
        if "standards" in directory(ROOT / "content"):
            made.append(export(stage, "demo", ROOT / "content", NOW))
        stage.exports = made
    return made


def cases(stage):
    return all_of(stage)[0]


def directory(content):
    return tomllib.loads((content / "directory.toml").read_text())


def export(stage, name, content, now):
    """Builds the content's tree and exports what changes with the clock."""
    if not content.is_dir():
        raise Failed(f"{content.relative_to(ROOT)} is not here")
    own = stage
    if content != stage.content:
        own = Stage(content, FOLDER / name / "tree", now, stage.binary)
        own.build()
    made = Export(own, name, directory(content)["api-url"])
    bucket = by_the_clock(made, now)
    for folder in (own.tree, bucket):
        for path in folder.rglob("*"):
            place = str(path.relative_to(folder))
            if path.is_file() and place.startswith("fhir/"):
                body = path.read_bytes()
                if made.bodies.setdefault(place, body) != body:
                    raise Failed(f"{name}: build and export differ in {place}")
    return made


def by_the_clock(made, now):
    """The folder with what changes with the clock."""
    bucket = FOLDER / made.name / f"bucket-{now.replace(':', '')}"
    command = [made.stage.binary, "export", bucket, "--content", made.stage.content, "--now", now]
    bounded(command, "export", 120, cwd=ROOT)
    return bucket


def altered(content, name, *changes):
    """A copy of the content; each change is a file, a pattern that it has once, and its replacement."""
    copy = FOLDER / name / "content"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(content, copy)
    for file, pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, (copy / file).read_text())
        if count != 1:
            raise Failed(f"{file} has {count} places for {pattern}")
        (copy / file).write_text(text)
    return copy
