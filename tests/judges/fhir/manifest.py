"""The manifest against HL7's Bulk Data ($bulk-publish), SMART Scheduling Links and the files that it lists."""

import json
from datetime import timedelta
from urllib.parse import urlsplit

from .own import CATALOG, Set, safely
from .rules import actors, instant, licensed

MANIFEST = "fhir/$bulk-publish"
DAYS = 32
FIXED = {
    "manifestType": "http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest",
    "requiresAccessToken": False,
    "outputFormat": "application/fhir+ndjson",
    "updateCadence": "PT1M",
    "error": [],
}


def findings(bodies, api):
    try:
        manifest = json.loads(bodies[MANIFEST])
    except (KeyError, ValueError) as error:
        return [f"no manifest: {error!r}"]
    export = Set({path: body for path, body in bodies.items() if path.endswith(".ndjson")}, api)
    return safely(lambda: of_manifest(manifest, api)) + safely(lambda: of_outputs(manifest, export, api))


def of_manifest(manifest, api):
    if set(manifest) != {*FIXED, "transactionTime", "request", "output"}:
        yield f"its fields are {', '.join(manifest)}"
    for field, value in FIXED.items():
        # A truth value is a number to Python.
        if manifest[field] != value or type(manifest[field]) is not type(value):
            yield f"{field} is {manifest[field]!r}"
    if manifest["request"] != f"{api}/{MANIFEST}":
        yield f"request is {manifest['request']}"
    if instant(manifest["transactionTime"]).second:
        yield f"transactionTime is {manifest['transactionTime']}, not a whole minute"


def of_outputs(manifest, export, api):
    outputs = manifest["output"]
    today = instant(manifest["transactionTime"]).date()
    expected = [(kind, f"{api}/fhir/{kind}.ndjson") for kind in CATALOG]
    expected += [("Slot", f"{api}/fhir/slots/{today + timedelta(days=day)}.ndjson") for day in range(DAYS)]
    if [(one["type"], one["url"]) for one in outputs] != expected:
        yield "its outputs are not the catalog and the slots of 32 days"
    for output in outputs:
        yield from of_output(output, export)
    listed = {urlsplit(one["url"]).path.removeprefix("/") for one in outputs}
    if unlisted := set(export.files) - listed:
        yield f"{', '.join(sorted(unlisted))} is not listed"


def of_output(output, export):
    name = urlsplit(output["url"]).path.removeprefix("/")
    if not output["url"].startswith("https://") or set(output) - {"type", "url", "count", "extension"}:
        yield f"the output {output}"
    resources = export.files.get(name)
    if resources is None:
        yield f"{name} is listed and not there"
        return
    if type(output["count"]) is not int or output["count"] != len(resources):
        yield f"{name} has {len(resources)} lines and the count {output['count']!r}"
    if any(one["resourceType"] != output["type"] for one in resources):
        yield f"{name} is not of {output['type']}"
    states = sorted({state for one in resources for state in STATES[output["type"]](one, export)})
    if output.get("extension") != ({"state": states} if states else None):
        yield f"{name} is of {', '.join(states) or 'no state'}, and its extension says {output.get('extension')}"


# The states that a resource is about.
STATES = {
    "Organization": lambda one, export: [],
    "HealthcareService": lambda one, export: [],
    "Location": lambda one, export: [one["id"]],
    "Practitioner": lambda one, export: licensed(one),
    "PractitionerRole": lambda one, export: [place["reference"].partition("/")[2] for place in one["location"]],
    "Schedule": lambda one, export: actors(one, "Location"),
    "Slot": lambda one, export: actors(export.get(one["schedule"]["reference"]), "Location"),
}


def mistakes():
    """Manifests with one mistake: a name, and what changes a right one."""

    def of(kind, **fields):
        def make(manifest):
            output = next(one for one in manifest["output"] if one["type"] == kind and one["count"])
            output.update(fields)

        return make

    def all_of(**fields):
        return lambda manifest: manifest.update(fields)

    yield "no error list", lambda manifest: manifest.pop("error")
    yield "a token as a text", all_of(requiresAccessToken="false")
    yield "a token as a number", all_of(requiresAccessToken=0)
    yield "another format", all_of(outputFormat="application/ndjson")
    yield "a request elsewhere", all_of(request="https://elsewhere.example/fhir/$bulk-publish")
    yield "a relative request", all_of(request="/fhir/$bulk-publish")
    yield "a time without seconds", lambda one: one.update(transactionTime=one["transactionTime"][:16] + "Z")
    yield "a time within a minute", lambda one: one.update(transactionTime=one["transactionTime"][:17] + "07Z")
    yield "a time of yesterday", all_of(transactionTime="2020-01-01T00:00:00Z")
    yield "a count too high", of("Schedule", count=99)
    yield "a count as a text", of("Organization", count="1")
    yield "a relative URL", of("Location", url="/fhir/Location.ndjson")
    yield "a file that is not there", of("Practitioner", url="https://api.larkspur.example/fhir/People.ndjson")
    yield "a state as a text", of("Slot", extension={"state": "CA"})
    yield "a state too many", of("Slot", extension={"state": ["CA", "NY", "TX"]})
    yield "no state", lambda one: next(x for x in one["output"] if x["type"] == "Schedule").pop("extension")
    yield "states out of order", of("Location", extension={"state": ["NY", "CA"]})
    yield "another type", of("Slot", type="Schedule")
    yield "a type of our own", of("HealthcareService", type="Visit")
    yield "a day less", lambda one: one["output"].pop()
    yield "a file twice", lambda one: one["output"].append(one["output"][0])
    yield "no outputs", all_of(output=[])
