"""Judges of the REST API and of its description."""

import json
import re

from frame import CACHE, HERE, Failed, Judge, bounded


def description(stage):
    return stage.tree / "v1/openapi.json"


def schemathesis(stage, needs):
    command = [needs.python("schemathesis", "st"), "run", description(stage), "--url", stage.url, "--checks", "all"]
    command += ["--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "60", "--seed", "1"]
    hooks = {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE / "openapi")}
    said = bounded(command, "schemathesis", 420, cwd=CACHE, environment=hooks)
    generated = re.search(r"(\d+) generated, \d+ passed", said)
    if "No issues found" not in said or not generated or "Stateful" not in said:
        raise Failed("see logs/schemathesis.log")
    return f"{generated.group(0)}; examples, coverage, fuzzing and stateful links"


# A line for each resource, and for a filtered search.
RESOURCES = [
    "/v1/states",
    "/v1/insurances",
    "/v1/insurances?state=CA",
    "/v1/providers",
    "/v1/providers?state=TX&gender=female",
    "/v1/providers/amara-okonkwo",
    "/v1/appointment-types",
    "/v1/availability?state=CA",
    "/v1/openapi.json",
]


# Notes that are accepted, each with its reason.
ACCEPTED = {
    # The contract names `public`: it also lets a cache keep an answer to a request that carried credentials,
    # which a browser extension or a gateway may add to anything.
    "STORE_PUBLIC_UNNECESSARY",
}


def redbot(stage, needs):
    against = []
    for resource in RESOURCES:
        said = bounded([needs.python("redbot", "redbot"), "-o", "har", stage.url + resource], "redbot", 60)
        for entry in json.loads(said[said.index("{") :])["log"]["entries"]:
            notes = entry["_red_messages"]
            if not any(note["note_id"] == "INM_304" for note in notes):
                against.append(f"{resource}: no working If-None-Match")
            bad = [note for note in notes if note["level"] not in ("GOOD", "INFO") and note["note_id"] not in ACCEPTED]
            against += [f"{resource}: {note['summary']}" for note in bad]
    if against:
        raise Failed("; ".join(against)[:300])
    return f"{len(RESOURCES)} resources, each with a 304; {len(ACCEPTED)} accepted note"


def program(needs, name):
    return needs.node_modules("openapi") / ".bin" / name


def spectral(stage, needs):
    rules = HERE / "openapi/spectral.yaml"
    command = [program(needs, "spectral"), "lint", description(stage), "-r", rules, "--fail-severity=warn"]
    bounded(command, "spectral", 120)
    return "spectral:oas, no result of any weight"


def redocly(stage, needs):
    command = [program(needs, "redocly"), "lint", description(stage), "--config", HERE / "openapi/redocly.yaml"]
    said = bounded([*command, "--format", "json"], "redocly", 120, environment={"REDOCLY_TELEMETRY": "off"})
    totals = json.loads(said[said.index("{") : said.rindex("}") + 1])["totals"]
    if totals["errors"] or totals["warnings"]:
        raise Failed(f"{totals}")
    return "recommended rules but one, no error and no warning"


def types(stage, needs):
    out = CACHE / "openapi.ts"
    bounded([program(needs, "openapi-typescript"), description(stage), "-o", out], "types", 120)
    bounded([program(needs, "tsc"), "--noEmit", "--strict", out], "types", 120)
    return f"{len(out.read_text().splitlines())} lines of types compile strictly"


def schemas(stage, needs):
    """Every kind of answer, for every state and clinician, against the schemas that promise it."""
    tools = stage.mcp("tools/list", {})["result"]["tools"]
    outputs = {tool["name"]: tool["outputSchema"] for tool in tools}
    path = CACHE / "answers.json"
    states = [state["code"] for state in json.loads(stage.get("/v1/states"))["states"]]
    slugs = [one["slug"] for one in json.loads(stage.get("/v1/providers?limit=100"))["providers"]]
    asked = [("list_states", {}), ("list_insurances", {}), ("list_appointment_types", {}), ("search_providers", {})]
    for state in [*states, "WY"]:
        here = {"state": state}
        asked += [("list_insurances", here), ("list_appointment_types", here)]
        asked += [("search_providers", {**here, "limit": 100}), ("check_availability", {**here, "limit": 200})]
    asked += [("get_provider", {"slug": slug}) for slug in slugs]
    asked += [("check_availability", {"state": "CA", "provider": slug}) for slug in slugs]
    answers = []
    for tool, arguments in asked:
        result = stage.mcp("tools/call", {"name": tool, "arguments": arguments})["result"]
        answers.append({"tool": tool, "arguments": arguments, "structured": result["structuredContent"]})
    path.write_text(json.dumps({"outputs": outputs, "answers": answers, "tree": str(stage.tree)}))
    script = HERE / "openapi/validate.py"
    return bounded([needs.python("schemathesis"), script, path], "schemas", 180).strip().splitlines()[-1]


ALL = [
    Judge("schemathesis", schemathesis, "schemathesis", "schemathesis"),
    Judge("redbot", redbot, "redbot", "redbot"),
    Judge("spectral", spectral, "openapi", "@stoplight/spectral-cli"),
    Judge("redocly", redocly, "openapi", "@redocly/cli"),
    Judge("types", types, "openapi", "openapi-typescript"),
    Judge("schemas", schemas, "schemathesis", "jsonschema_rs"),
]
