"""The export over HTTP, as a reader of SMART Scheduling Links asks for it: the same bytes, whatever it accepts."""

import dataclasses
import gzip
import http.client
import json
import re
from datetime import timedelta
from urllib.parse import quote, urlsplit

from frame import Failed

from .manifest import MANIFEST
from .own import CATALOG, Set
from .rules import actors, instant, visit

NDJSON, MANIFEST_TYPE, RESOURCE = "application/fhir+ndjson", "application/json", "application/fhir+json"
ACCEPTS = [None, "*/*", "application/json", "application/fhir+ndjson", "text/html", "application/json;q=0"]
CORS = ["access-control-allow-origin", "access-control-expose-headers"]


class Reader:
    """Asks with the header fields that it is given and no others, and collects what is wrong."""

    def __init__(self, stage):
        self.stage, self.wrong, self.asked = stage, [], 0
        self.connection = http.client.HTTPConnection(urlsplit(stage.url).netloc, timeout=30)

    def ask(self, path, method="GET", **fields):
        self.asked += 1
        headers = {name.replace("_", "-"): value for name, value in fields.items() if value is not None}
        self.connection.putrequest(method, "/" + path.removeprefix("/"), skip_accept_encoding=True)
        for header, value in headers.items():
            self.connection.putheader(header, value)
        self.connection.endheaders()
        response = self.connection.getresponse()
        found = {header.lower(): value for header, value in response.getheaders()}
        return response.status, found, response.read()

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(what)


def body(reader, path, expected, content_type, seconds):
    """A body in every way that a reader may ask for it."""
    status, headers, got = reader.ask(path)
    if status != 200:
        return reader.wrong.append(f"{path} is {status}")
    _, like, _ = reader.ask("/v1/states")
    reader.expect(got == expected, f"{path} differs from the exported file")
    reader.expect(headers.get("content-type") == content_type, f"{path} is {headers.get('content-type')}")
    reader.expect(headers.get("cache-control") == f"public, max-age={seconds}", f"{path}: {headers.get('cache-control')}")
    for header in CORS:
        reader.expect(header in like and headers.get(header) == like[header], f"{path} has another {header} than /v1")
    for accept in ACCEPTS:
        status, other, again = reader.ask(path, accept=accept)
        same = (status, again, other.get("content-type")) == (200, got, content_type)
        reader.expect(same, f"{path} with Accept {accept}: {status} {other.get('content-type')}")
    tag = headers.get("etag")
    status, kept, nothing = reader.ask(path, if_none_match=tag or "*")
    reader.expect(tag and (status, nothing, kept.get("etag")) == (304, b"", tag), f"{path} with its ETag is {status}")
    reader.expect(kept.get(CORS[0]) == "*", f"{path}: the 304 is closed to web pages")
    reader.expect(reader.ask(path, if_none_match='"other"')[0] == 200, f"{path} has another ETag's 304")
    status, other, packed = reader.ask(path, accept_encoding="gzip")
    plain = gzip.decompress(packed) if other.get("content-encoding") == "gzip" else packed
    reader.expect(plain == got, f"{path} with gzip differs")
    reader.expect("content-encoding" in other or len(got) < 4096, f"{path} of {len(got)} bytes is not compressed")
    status, head, nothing = reader.ask(path, "HEAD")
    reader.expect((status, nothing, head.get("etag")) == (200, b"", tag), f"{path}: HEAD is {status}")
    reader.expect(reader.ask(path, "POST", content_length="0")[0] == 405, f"{path} can be posted to")
    status, _, since = reader.ask(f"{path}?_since=2026-01-01T00:00:00Z")
    reader.expect((status, since) == (200, got), f"{path} heeds _since")


def files(reader, export):
    """Every file that the manifest lists, and the manifest."""
    body(reader, MANIFEST, export.bodies[MANIFEST], MANIFEST_TYPE, 60)
    status, _, quoted = reader.ask("fhir/%24bulk-publish")
    reader.expect((status, quoted) == (200, export.bodies[MANIFEST]), "the manifest is not found by %24bulk-publish")
    for output in json.loads(export.bodies[MANIFEST])["output"]:
        path = urlsplit(output["url"]).path.removeprefix("/")
        body(reader, path, export.bodies[path], NDJSON, 60 if output["type"] == "Slot" else 300)
    today = instant(export.stage.now).date()
    for day in (today - timedelta(days=1), today + timedelta(days=32), "2026-02-30", "2026-3-2", "today"):
        reader.expect(reader.ask(f"fhir/slots/{day}.ndjson")[0] == 404, f"there are slots of {day}")


def capability(reader):
    """The types that /fhir/metadata declares; it must not declare what is not served."""
    status, headers, found = reader.ask("fhir/metadata")
    if status != 200:
        raise Failed(f"fhir/metadata is {status}")
    reader.expect(headers.get("content-type", "").startswith(RESOURCE), f"fhir/metadata is {headers.get('content-type')}")
    statement = json.loads(found)
    (rest,) = statement["rest"]
    served = {one["type"]: one for one in rest["resource"]}
    reader.expect(statement["resourceType"] == "CapabilityStatement", "fhir/metadata isn't a CapabilityStatement")
    reader.expect(statement["fhirVersion"] == "4.0.1" and rest["mode"] == "server", "it is of another FHIR")
    reader.expect(not {"searchParam", "operation", "interaction"} & set(rest), "it declares searches or operations")
    for kind, one in served.items():
        reader.expect(one["interaction"] == [{"code": "read"}], f"{kind} can do {one['interaction']}")
        reader.expect(not {"searchParam", "operation", "searchInclude"} & set(one), f"{kind} can be searched")
    reader.expect("PractitionerRole" in served, "registries look for PractitionerRole in vain")
    return statement, set(served)


def reads(reader, export, served):
    """Single resources: the line of the file, and nothing else."""
    for kind in CATALOG:
        lines = export.bodies[f"fhir/{kind}.ndjson"].splitlines()
        chosen = lines if len(lines) < 20 else [lines[0], lines[len(lines) // 2], lines[-1]]
        for line in chosen:
            name = json.loads(line)["id"]
            status, headers, found = reader.ask(f"fhir/{kind}/{quote(name)}")
            if kind not in served:
                reader.expect(status == 404, f"{kind}/{name} is served and not declared")
                continue
            reader.expect((status, found.rstrip(b"\n")) == (200, line), f"{kind}/{name} is {status} or differs from its line")
            reader.expect(headers.get("content-type", "").startswith(RESOURCE), f"{kind}/{name}: {headers.get('content-type')}")
            status, _, _ = reader.ask(f"fhir/{kind}/{quote(name)}", if_none_match=headers.get("etag", "none"))
            reader.expect(status == 304, f"{kind}/{name} with its ETag is {status}")
        for path in (f"fhir/{kind}/nobody", f"fhir/{kind}", f"fhir/{kind}/", f"fhir/{kind}?name=a"):
            reader.expect(reader.ask(path)[0] == 404, f"{path} is found")
    for path in ("fhir", "fhir/", "fhir/Patient/1", "fhir/$export", "fhir/../v1/providers.json", "fhir/slots"):
        reader.expect(reader.ask(path)[0] in (400, 404), f"{path} is found")


def same_slots(reader, export):
    """For every state and visit, the slots of the files are those that /v1/availability gives, page by page.

    The files have those of clinicians who accept new patients there. Availability also has openings of others for their
    current patients.
    """
    resources = Set({path: found for path, found in export.bodies.items() if path.endswith(".ndjson")}, export.api)
    slugs = {one["id"]: one["telecom"][0]["value"].rpartition("/")[2] for one in resources.of("Practitioner")}
    end = instant(export.stage.now) + timedelta(days=30)
    expected, later = {}, 0
    for slot in resources.of("Slot"):
        schedule = resources.get(slot["schedule"]["reference"])
        (practitioner,) = actors(schedule, "Practitioner")
        if instant(slot["start"]) >= end:
            later += 1
            continue
        for state in actors(schedule, "Location"):
            key = state, visit(schedule, "serviceType")
            expected.setdefault(key, set()).add((slot["start"], slugs[practitioner]))
    accepting = {slug: json.loads(reader.ask(f"/v1/providers/{slug}")[2])["statesAcceptingPatients"] for slug in slugs.values()}
    states = [one["id"] for one in resources.of("Location")]
    compared = 0
    for state in states:
        for kind in (one["id"] for one in resources.of("HealthcareService")):
            given = {one for one in availability(reader, state, kind) if state in accepting[one[1]]}
            compared += len(given)
            if given != expected.get((state, kind), set()):
                odd = sorted(given ^ expected.get((state, kind), set()))
                reader.wrong.append(f"{state}, visit {kind}: {len(odd)} slots are in one place alone, such as {odd[0]}")
    return compared


def unseen(served, made, kinds):
    """What the comparisons must see and do not: files other than those that are served, and slots that no one can book."""

    def less_active(body):
        return body.replace(b'"active":true', b'"active":false', 1)

    def resources(reader, export):
        reads(reader, export, kinds)

    def in_seconds(body):
        return re.sub(rb'("start":"[^"]*):00Z"', rb'\1:01Z"', body, count=1)

    def without_california(body):
        return body.replace(b',{"reference":"Location/CA"}', b"")

    slots = next(path for path, body in sorted(made.bodies.items()) if "/slots/" in path and body)
    controls = [
        ("another manifest", files, MANIFEST, lambda body: body.replace(b"PT1M", b"PT5M")),
        ("another file", files, "fhir/PractitionerRole.ndjson", less_active),
        ("another resource", resources, "fhir/PractitionerRole.ndjson", less_active),
        ("an emptied day", same_slots, slots, lambda body: b""),
        ("a shifted slot", same_slots, slots, in_seconds),
        ("a slot less", same_slots, slots, lambda body: b"".join(body.splitlines(True)[1:])),
        ("a visit in fewer states", same_slots, "fhir/Schedule.ndjson", without_california),
    ]
    missed = []
    for name, compare, path, change in controls:
        reader, changed = Reader(served), change(made.bodies[path])
        compare(reader, dataclasses.replace(made, bodies={**made.bodies, path: changed}))
        missed += [] if reader.wrong and changed != made.bodies[path] else [f"it does not see {name}"]
    return missed


def availability(reader, state, kind):
    found, target = set(), f"/v1/availability?state={state}&appointmentType={kind}&horizonDays=30&limit=200"
    while target:
        status, headers, answer = reader.ask(target)
        if status != 200:
            raise Failed(f"{target} is {status}")
        page = {(one["startTime"], one["providerSlug"]) for one in json.loads(answer)["slots"]}
        following = headers.get("link", "").partition("<")[2].partition(">")[0]
        if not page - found and following:
            raise Failed(f"{target} leads to nothing new")
        found |= page
        target = following
    return found
