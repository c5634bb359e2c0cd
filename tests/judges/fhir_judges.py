"""Judges of the FHIR export.

Each judges the exports of the demo and of tests/cases/standards, and is shown broken files that it must refuse.
"""

import json

import fhir.broken
import fhir.exports
import fhir.live
import fhir.manifest
import fhir.own
import fhir.profiles
import fhir.variants
from frame import HERE, Failed, Judge, Stage, bounded

# Slots are alike. Medplum, which takes four milliseconds for each with its profiles, is shown this many of a clinic's.
SLOTS = 1500
VARIANT_SLOTS = 100
EVERY = 1_000_000


def fail_if(found):
    if found:
        raise Failed(f"{len(found)} found: {'; '.join(map(str, found))[:300]}")


def resources_of(made, slots):
    """An export's resources with their places; of the slots at most this many, evenly."""
    catalog, others = [], []
    for path, body in sorted(made.bodies.items()):
        if path.endswith(".ndjson"):
            lines = [(f"{made.name} {path}:{number}", json.loads(line)) for number, line in enumerate(body.splitlines(), 1)]
            (others if "/slots/" in path else catalog).extend(lines)
    return catalog + others[:: max(1, -(-len(others) // slots))]


def validator(name, command, slots):
    """A judge that asks a validator: all resources must pass, and the broken ones that it can see must not."""

    def judge(stage, needs):
        lines = [line for made in fhir.exports.all_of(stage) for line in resources_of(made, slots)]
        for made in fhir.variants.all_of(stage).values():
            lines += resources_of(made, min(slots, VARIANT_SLOTS))
        lines += capabilities(stage)
        right = [resource for _, resource in lines]
        broken = [(one.name, fhir.broken.broken(one, right)) for one in fhir.broken.MISTAKES]
        docket = fhir.exports.FOLDER / f"{name}.json"
        docket.write_text(json.dumps({"lines": lines, "broken": broken}))
        said = bounded(command(needs, docket), name, 240)
        answer = json.loads(said.strip().splitlines()[-1])
        if answer["count"]:
            raise Failed(f"{answer['count']} found: {'; '.join(answer['found'])[:300]}")
        seen = [one.name for one in fhir.broken.MISTAKES if name in one.seen_by]
        if missed := set(seen) - set(answer["refused"]):
            raise Failed(f"it no longer refuses {', '.join(sorted(missed))}")
        return f"{len(lines)} resources; refuses {len(seen)} of {len(broken)} broken ones"

    return judge


def capabilities(stage):
    """What the live service says that it can do."""
    served = live(stage)
    try:
        return [("fhir/metadata", json.loads(served.get("/fhir/metadata")))]
    finally:
        served.stop()


def live(stage, made=None, static=False):
    """An export's clinic, served; only by the live service, unless requested otherwise."""
    own = (made or fhir.exports.cases(stage)).stage
    served = Stage(own.content, own.tree if static else None, own.now, own.binary)
    served.start()
    return served


def python_validator(needs, docket):
    return [needs.python("pyfhir"), HERE / "fhir/resources.py", docket]


def npm_validator(needs, docket):
    return ["node", "--max-old-space-size=1024", fhir.profiles.script(needs, "npm_fhir.mjs"), docket]


def profile_validator(needs, docket):
    script = fhir.profiles.script(needs, "medplum.mjs")
    return ["node", "--max-old-space-size=1024", script, docket, fhir.profiles.compiled(needs)]


def own(stage, needs):
    """The export as a whole: ids, references, systems, states, the manifest; and each mistake separately."""
    checks = [fhir.own.findings, fhir.manifest.findings]
    lines = 0
    for made in [*fhir.exports.all_of(stage), *fhir.variants.all_of(stage).values()]:
        fail_if([f"{made.name}: {what}" for check in checks for what in check(made.bodies, made.api)])
        lines += sum(body.count(b"\n") for path, body in made.bodies.items() if path.endswith(".ndjson"))
    right = fhir.exports.cases(stage)
    fail_if(fhir.variants.of_files(right))
    broken = list(broken_exports(right.bodies))
    fail_if([f"it does not see {name}" for name, bodies in broken if not any(check(bodies, right.api) for check in checks)])
    return f"{lines} lines; refuses {len(broken)} broken exports"


def broken_exports(bodies):
    """The bodies of an export with one mistake each."""
    for mistake in fhir.broken.MISTAKES:
        if fhir.broken.OWN in mistake.seen_by:
            yield mistake.name, fhir.broken.export(mistake, bodies)
    for name, make in fhir.manifest.mistakes():
        manifest = json.loads(bodies[fhir.manifest.MANIFEST])
        make(manifest)
        yield name, {**bodies, fhir.manifest.MANIFEST: json.dumps(manifest).encode()}
    for name, path, make in fhir.broken.FILES:
        changed = make(bodies[path])
        yield name, {key: body for key, body in {**bodies, path: changed}.items() if body is not None}


def over_http(stage, needs):
    """Live, alone and with its built tree: the exported bytes, in every way that a reader may request them."""
    asked = compared = 0
    for made in fhir.exports.all_of(stage):
        served = live(stage, made, static=made.name == "demo")
        try:
            reader = fhir.live.Reader(served)
            fhir.live.files(reader, made)
            _, kinds = fhir.live.capability(reader)
            fhir.live.reads(reader, made, kinds)
            compared += fhir.live.same_slots(reader, made)
            fail_if([f"{made.name}: {what}" for what in reader.wrong])
            asked += reader.asked
            fail_if(fhir.live.unseen(served, made, kinds) if made is fhir.exports.cases(stage) else [])
        finally:
            served.stop()
    fail_if(fhir.variants.without_standards(fhir.exports.cases(stage)))
    return f"{asked} requests; {compared} slots are those of /v1/availability; nothing without [standards]"


ALL = [
    Judge("fhir-resources", validator(fhir.broken.RESOURCES, python_validator, EVERY), "pyfhir", "fhir.resources"),
    Judge("fhir-npm", validator(fhir.broken.NPM, npm_validator, EVERY), "fhir", "fhir"),
    Judge("fhir-profiles", validator(fhir.broken.PROFILES, profile_validator, SLOTS), "fhir", "@medplum/core"),
    Judge("fhir-own", own),
    Judge("fhir-live", over_http),
]
