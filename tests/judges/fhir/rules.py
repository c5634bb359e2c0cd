"""What the export promises of each type of resource, beyond FHIR and the profiles."""

import hashlib
import re
from datetime import datetime, timezone

SSL = "http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/"
PLAN_NET = "http://hl7.org/fhir/us/davinci-pdex-plan-net/"
OLD_LINK = "http://fhir-registry.smarthealthit.org/StructureDefinition/booking-deep-link"
GENDERS = {"female", "male", "other", "unknown"}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:00Z")


def instant(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


def short(provider):
    """An id as it occurs in a compound."""
    return provider if len(provider) <= 40 else hashlib.sha256(provider.encode()).hexdigest()[:40]


def part(resource, url, name):
    """The codes in a part of an extension."""
    found = [one for one in resource["extension"] if one["url"] == PLAN_NET + "StructureDefinition/" + url]
    parts = [one for extension in found for one in extension["extension"] if one["url"] == name]
    return [one["valueCodeableConcept"]["coding"][0]["code"] for one in parts]


def accepts(resource):
    (code,) = part(resource, "newpatients", "acceptingPatients")
    return code


def visit(resource, field):
    (concept,) = resource[field]
    return concept["coding"][0]["code"]


def licensed(practitioner):
    """The states of a practitioner's licenses."""
    return [
        one["valueCodeableConcept"]["coding"][0]["code"]
        for qualification in practitioner["qualification"]
        for extension in qualification.get("extension", [])
        for one in extension["extension"]
        if one["url"] == "whereValid"
    ]


def is_unlicensed(export, practitioner):
    """No state licenses health coaches, whose role is another service provider's."""
    mine = f"Practitioner/{practitioner['id']}"
    roles = [role for role in export.of("PractitionerRole") if role["practitioner"]["reference"] == mine]
    return any(role["code"][0]["coding"][0]["code"] == "os" for role in roles)


def actors(schedule, kind):
    found = [one["reference"].partition("/") for one in schedule["actor"]]
    return [name for its, _, name in found if its == kind]


def of_organization(export, organization):
    if len(export.of("Organization")) != 1 or organization["id"] != "organization":
        yield "there is more than the one organization"


def of_location(export, location):
    if location["address"] != {"state": location["id"], "country": "US"}:
        yield f"the address is {location['address']}"
    if location["status"] != "active":
        yield f"its status is {location['status']}"


def of_service(export, service):
    if visit(service, "type") != service["id"]:
        yield "its type has another id"
    if part(service, "delivery-method", "virtualModalities") != ["video" if service["appointmentRequired"] else "web"]:
        yield "its modality and appointmentRequired differ"
    if accepts(service) == "nopt":
        yield "a visit says that no patients are accepted"


def of_practitioner(export, practitioner):
    if len(practitioner["identifier"]) != 1:
        yield f"{len(practitioner['identifier'])} identifiers"
    if practitioner["gender"] not in GENDERS:
        yield f"its gender is {practitioner['gender']}"
    (name,) = practitioner["name"]
    if not name.get("family") or not name.get("text"):
        yield f"the name {name}"
    if practitioner["active"] is not True:
        yield f"active is {practitioner['active']}"
    states = licensed(practitioner)
    if bool(states) == is_unlicensed(export, practitioner) or len(set(states)) != len(states):
        yield f"the licenses are {states}"
    for qualification in practitioner["qualification"]:
        for extension in qualification.get("extension", []):
            if extension["extension"][0] != {"url": "status", "valueCode": "active"}:
                yield "a license without the status active"
        if "end" in qualification.get("period", {}):
            yield "a degree that ends"


def of_role(export, role):
    practitioner = role["practitioner"]["reference"].partition("/")[2]
    (location,) = role["location"]
    state = location["reference"].partition("/")[2]
    if role["id"] != f"{short(practitioner)}.{state}":
        yield f"it is of {practitioner} in {state}"
    if accepts(role) not in ("newpt", "nopt"):
        yield f"it says {accepts(role)} of new patients"
    networks = [one for one in role["extension"] if one["url"].endswith("/network-reference")]
    if any(set(one["valueReference"]) != {"display"} for one in networks):
        yield "a plan is more than a name"


def of_schedule(export, schedule):
    (practitioner,) = actors(schedule, "Practitioner")
    kind = visit(schedule, "serviceType")
    if schedule["id"] != f"{short(practitioner)}.{kind}":
        yield f"it is of {practitioner} and {kind}"
    service = export.get(f"HealthcareService/{kind}")
    if not service["appointmentRequired"]:
        yield "a visit without an appointment has a schedule"
    offered = {one["reference"].partition("/")[2] for one in service["coverageArea"]}
    mine = [one for one in export.of("PractitionerRole") if one["practitioner"]["reference"] == f"Practitioner/{practitioner}"]
    states = [one["id"].rpartition(".")[2] for one in mine if accepts(one) == "newpt"]
    states = sorted(offered.intersection(states))
    expected = [f"Practitioner/{practitioner}"]
    for state in states:
        expected += [f"PractitionerRole/{short(practitioner)}.{state}", f"Location/{state}"]
    given = [one["reference"] for one in schedule["actor"]]
    if given != expected:
        yield f"its actors are {given}, and the roles and the visit say {expected}"


def of_slot(export, slot):
    if slot["status"] != "free":
        yield f"its status is {slot['status']}"
    if not INSTANT.fullmatch(slot["start"]) or not INSTANT.fullmatch(slot["end"]):
        yield f"{slot['start']} to {slot['end']}"
    start = int(instant(slot["start"]).timestamp())
    if slot["id"] != f"{slot['schedule']['reference'].partition('/')[2]}.{start}":
        yield "its id is not of its schedule and start"
    (patient,) = [one for one in slot["extension"] if one["url"] == SSL + "patient-type"]
    kind = visit(export.get(slot["schedule"]["reference"]), "serviceType")
    if patient["valueCoding"]["code"] != accepts(export.get(f"HealthcareService/{kind}")):
        yield "its patient-type is not the visit's"
    links = [one["valueUrl"] for one in slot["extension"] if one["url"] in (SSL + "booking-deep-link", OLD_LINK)]
    if links and (len(links) != 2 or links[0] != links[1] or not links[0].startswith("https://")):
        yield f"its links are {links}"
    if len(slot["extension"]) != len(links) + 1:
        yield "an extension that wasn't agreed on"


RULES = {
    "Organization": of_organization,
    "Location": of_location,
    "HealthcareService": of_service,
    "Practitioner": of_practitioner,
    "PractitionerRole": of_role,
    "Schedule": of_schedule,
    "Slot": of_slot,
}


