"""Compiles the profiles with SUSHI, without a network, and keeps the result until a source or a version changes."""

import hashlib
import shutil

from frame import CACHE, HERE, bounded

SOURCES = HERE / "fhir/profiles"
CORE = "hl7.fhir.r4.core#4.0.1"
# Nothing listens here: SUSHI looks for newer versions of itself and of packages that it does not need.
NOWHERE = "http://127.0.0.1:9"


def compiled(needs):
    """The folder of the compiled profiles."""
    files = sorted([*SOURCES.iterdir(), HERE / "fhir/core_package.mjs", *(HERE / "needs/fhir").iterdir()])
    asked = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    folder = CACHE / f"profiles-{asked}"
    if not (folder / "complete").exists():
        for old in CACHE.glob("profiles-*"):
            shutil.rmtree(old)
        compile_into(folder, needs)
        (folder / "complete").touch()
    return folder / "out/fsh-generated/resources"


def compile_into(folder, needs):
    home, project = folder / "home", folder / "project"
    shutil.copytree(SOURCES, project / "input/fsh")
    (project / "input/fsh/sushi-config.yaml").rename(project / "sushi-config.yaml")
    core = script(needs, "core_package.mjs")
    bounded(["node", core, home / ".fhir/packages" / CORE / "package"], "fhir-profiles", 60)
    alone = {
        "HOME": str(home), "FPL_REGISTRY": NOWHERE, "HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE,
        "npm_config_registry": NOWHERE, "npm_config_fetch_retries": "0",
    }
    sushi = needs.node_modules("fhir") / "fsh-sushi/dist/app.js"
    command = ["node", "--max-old-space-size=2048", sushi, "build", "--snapshot", "--out", folder / "out", project]
    bounded(command, "fhir-profiles", 120, environment=alone)
    shutil.rmtree(home)


def script(needs, name):
    """A script, copied to where its packages are: they are looked up next to it."""
    folder = needs.folder("fhir")
    for file in (HERE / "fhir").glob("*.mjs"):
        shutil.copy(file, folder)
    return folder / name
