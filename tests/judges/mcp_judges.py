"""Judges of the MCP endpoint."""

import json
import os
import sys

import agent.judge
import clients.cases
from frame import CACHE, HERE, LOGS, Failed, Judge, bounded

# Which scenarios mean something here. Those of tools-call-* are not among them: any text satisfies them.
SCENARIOS = {
    "2025-11-25": [
        "server-initialize",
        "ping",
        "tools-list",
        "dns-rebinding-protection",
        "server-session-lifecycle",
        "server-sse-multiple-streams",
    ],
    "2026-07-28": [
        "tools-list",
        "http-header-validation",
        "dns-rebinding-protection",
        "server-stateless",
        "caching",
    ],
}


def conformance(stage, needs):
    program = needs.node_modules("mcp") / "@modelcontextprotocol/conformance/dist/index.js"
    results = CACHE / "conformance"
    passed = expected = 0
    for version, scenarios in SCENARIOS.items():
        for scenario in scenarios:
            out = results / version / scenario
            before = set(out.glob("*/checks.json"))
            bounded(
                [needs.node(), program, "server", "--url", f"{stage.url}/api/mcp", "--scenario", scenario]
                + ["--spec-version", version, "--expected-failures", HERE / f"conformance/{version}.yaml", "-o", out],
                "conformance",
                60,
            )
            (checks,) = set(out.glob("*/checks.json")) - before
            statuses = [check["status"] for check in json.loads(checks.read_text())]
            passed += statuses.count("SUCCESS")
            expected += statuses.count("FAILURE") + statuses.count("WARNING")
    return f"{passed} checks passed in 11 scenarios; {expected} expected failures, each with its reason"


def inspector(stage, needs):
    script = [needs.node(), needs.node_modules("mcp") / ".bin/mcp-inspector", "--cli", f"{stage.url}/api/mcp"]
    script += ["--transport", "http"]

    def ask(*words, accept=(0,)):
        # Node 22 comes first for what the Inspector starts itself.
        path = f"{needs.node().parent}{os.pathsep}{os.environ['PATH']}"
        return bounded([*script, *words], "inspector", 60, environment={"PATH": path}, accept=accept)

    listed = ask("--method", "tools/list")
    if listed.count('"inputSchema"') != 6 or " 0 errors" not in listed:
        raise Failed("not six tools with portable schemas")
    cases = clients.cases.collect(stage)
    for case in cases["calls"]:
        answer = ask("--method", "tools/call", "--tool-name", case["tool"], *arguments(case))
        if "unknown format" in answer:
            raise Failed(f"{case['tool']}: the schema has an unknown format")
        result, _ = json.JSONDecoder().raw_decode(answer[answer.index("{") :])
        if result["content"][0]["text"] != case["body"] or result["structuredContent"] != json.loads(case["body"]):
            raise Failed(f"{case['tool']} differs from REST")
    for case in cases["mistakes"]:
        # The Inspector turns arguments into the schema's types itself, so this one never reaches the endpoint.
        if case["kind"] == "type":
            continue
        answer = ask("--method", "tools/call", "--tool-name", case["tool"], *arguments(case), accept=(5,))
        if not all(part in answer for part in case["says"]):
            raise Failed(f"{case['kind']}: {case['says']} is not said")
    view = cases["view"]
    read = ask("--method", "resources/read", "--uri", view["uri"])
    result, _ = json.JSONDecoder().raw_decode(read[read.index("{") :])
    if [one["text"] for one in result["contents"]] != [view["text"]] or "_meta" not in result["contents"][0]:
        raise Failed("the view differs from what `nameplate view` prints")
    if view["uri"] not in ask("--method", "resources/list"):
        raise Failed("resources/list does not name the view")
    return f"tools/list, {len(cases['calls'])} calls equal REST, the view, {len(cases['mistakes']) - 1} mistakes exit 5"


def arguments(case):
    return [word for name, value in case["arguments"].items() for word in ("--tool-arg", f"{name}={value}")]


PYTHONS = {"python_mcp.py": "pymcp", "python_fastmcp.py": "fastmcp", "python_openai.py": "openai"}


def client(script, *words):
    """A script that gets the cases and prints its figure as its last line."""

    def run(stage, needs):
        LOGS.mkdir(parents=True, exist_ok=True)
        path = CACHE / "cases.json"
        path.write_text(json.dumps(clients.cases.collect(stage)))
        log = f"{script.partition('.')[0]}-{'-'.join(words)}".rstrip("-")
        if script.endswith(".mjs"):
            # Packages are looked up next to the script, so it is run from where they are.
            folder = needs.folder("mcp")
            (folder / script).write_text((HERE / "clients" / script).read_text())
            (folder / "asked.mjs").write_text((HERE / "clients/asked.mjs").read_text())
            command = [needs.node(), folder / script]
        else:
            command = [needs.python(PYTHONS[script]), HERE / "clients" / script]
        return bounded([*command, path, *words], log, 90).strip().splitlines()[-1]

    return run


def scripted_agent(stage, needs):
    return agent.judge.run(stage)


ALL = [
    Judge("conformance", conformance, "mcp", "@modelcontextprotocol/conformance"),
    Judge("inspector", inspector, "mcp", "@modelcontextprotocol/inspector"),
    Judge("python-auto", client("python_mcp.py", "auto"), "pymcp", "mcp"),
    Judge("python-legacy", client("python_mcp.py", "legacy"), "pymcp", "mcp"),
    Judge("fastmcp", client("python_fastmcp.py"), "fastmcp", "fastmcp"),
    Judge("openai-strict", client("python_openai.py"), "openai", "openai-agents"),
    Judge("sdk-v1", client("sdk_v1.mjs"), "mcp", "@modelcontextprotocol/sdk"),
    Judge("sdk-v2-auto", client("sdk_v2.mjs", "auto"), "mcp", "@modelcontextprotocol/client"),
    Judge("sdk-v2-legacy", client("sdk_v2.mjs", "legacy"), "mcp", "@modelcontextprotocol/client"),
    Judge("agent", scripted_agent, fixed_version=f"python {sys.version_info.major}.{sys.version_info.minor}"),
]
