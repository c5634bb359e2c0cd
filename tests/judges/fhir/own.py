"""What no validator sees: the export as a whole, and the promises that it makes beyond FHIR. Returns texts; none is good."""

import json
import re

from .rules import PLAN_NET, RULES, SSL, instant, is_unlicensed, licensed, short

ACCEPTING = "http://terminology.hl7.org/CodeSystem/accepting-patients"
NPI = "http://hl7.org/fhir/sid/us-npi"

CATALOG = ["Organization", "Location", "HealthcareService", "Practitioner", "PractitionerRole", "Schedule"]
PROFILES = {
    "Location": "smart-scheduling-location",
    "Practitioner": "smart-scheduling-practitioner",
    "PractitionerRole": "smart-scheduling-practitionerRole",
    "Schedule": "smart-scheduling-schedule",
}
REQUIRED = {
    "Organization": {"identifier", "active", "type", "name", "telecom"},
    "Location": {"identifier", "status", "name", "telecom", "address", "physicalType", "managingOrganization"},
    "HealthcareService": {"extension", "active", "providedBy", "category", "type", "name", "appointmentRequired"},
    "Practitioner": {"identifier", "active", "name", "telecom", "gender", "qualification"},
    "PractitionerRole": {"extension", "active", "practitioner", "organization", "code", "location", "telecom"},
    "Schedule": {"active", "serviceType", "actor"},
    "Slot": {"extension", "schedule", "status", "start", "end"},
}
OPTIONAL = {
    "Organization": {"address"},
    "HealthcareService": {"comment", "coverageArea"},
    "Practitioner": {"photo", "communication"},
    "PractitionerRole": {"identifier", "specialty"},
}
# Plan-Net's role of each profession.
ROLES = {
    "physician": "ph", "nursePractitioner": "crnp", "physicianAssistant": "pa", "psychologist": "py", "therapist": "co",
    "clinicalSocialWorker": "sw", "registeredNurse": "rn", "nurseMidwife": "cnw", "dietitian": "dn", "pharmacist": "rx",
    "physicalTherapist": "pt", "speechTherapist": "sp", "healthCoach": "os",
}  # fmt: skip
# Where a reference may stand, and to what.
REFERENCES = {
    "Location.managingOrganization": {"Organization"},
    "HealthcareService.providedBy": {"Organization"},
    "HealthcareService.coverageArea": {"Location"},
    "PractitionerRole.practitioner": {"Practitioner"},
    "PractitionerRole.organization": {"Organization"},
    "PractitionerRole.location": {"Location"},
    "Schedule.actor": {"Practitioner", "PractitionerRole", "Location"},
    "Slot.schedule": {"Schedule"},
}


def codes(api):
    """Where a coding may stand: its system, and the form of its code."""
    code_system = PLAN_NET + "CodeSystem/"
    visits = (f"{api}/v1/appointment-types", r"[0-9]+")
    return {
        "Organization.type": (code_system + "OrgTypeCS", "prvgrp"),
        "Location.physicalType": ("http://terminology.hl7.org/CodeSystem/location-physical-type", "vi"),
        "HealthcareService.category": (code_system + "HealthcareServiceCategoryCS", "prov"),
        "HealthcareService.type": visits,
        "Schedule.serviceType": visits,
        "PractitionerRole.code": (code_system + "ProviderRoleCS", "|".join(ROLES.values())),
        "PractitionerRole.specialty": ("http://nucc.org/provider-taxonomy", "[0-9A-Z]{9}X"),
        "Practitioner.communication": ("urn:ietf:bcp:47", "[a-z]{2,3}"),
        "Slot.extension": (ACCEPTING, "newpt|existptonly"),
        "type": (code_system + "DeliveryMethodCS", "virtual"),
        "virtualModalities": (code_system + "VirtualModalitiesCS", "video|web"),
        "acceptingPatients": (code_system + "AcceptingPatientsCS", "newpt|nopt|existptonly"),
        "whereValid": ("https://www.usps.com/", "[A-Z]{2}"),
    }


def is_npi(text):
    """Ten digits with their check digit, by Luhn's formula over 80840 and the number."""
    if not re.fullmatch("[0-9]{10}", text):
        return False
    doubled = (sum(divmod(int(digit) * 2, 10)) for digit in text[-2::-2])
    return (24 + sum(doubled) + sum(int(digit) for digit in text[::-2])) % 10 == 0


def walk(value, path):
    """Every value with its path; a part of an extension has the extension's name as its path."""
    yield path, value
    if isinstance(value, dict):
        inside = value["url"] if path.endswith("extension") and "/" not in str(value.get("url", "/")) else path
        for key, one in value.items():
            yield from walk(one, f"{inside}.{key}")
    elif isinstance(value, list):
        for one in value:
            yield from walk(one, path)


class Set:
    """All resources of an export, with what is wrong with them."""

    def __init__(self, bodies, api):
        self.api, self.codes, self.wrong = api, codes(api), []
        self.found, self.files = {}, {}
        for path, body in bodies.items():
            if path.endswith(".ndjson"):
                self.files[path] = self.read(path, body)

    def say(self, what):
        self.wrong.append(what)

    def read(self, path, body):
        """A file's resources."""
        name = path.removeprefix("fhir/")
        kind = "Slot" if name.startswith("slots/") else name.removesuffix(".ndjson")
        if body and not body.endswith(b"\n"):
            self.say(f"{name}: the last line has no end")
        resources = []
        for number, line in enumerate(body.split(b"\n")[:-1], 1):
            try:
                resource = json.loads(line)
                is_right = resource["resourceType"] == kind
                key = (kind, resource["id"])
            except (ValueError, KeyError, TypeError):
                self.say(f"{name}:{number}: no resource")
                continue
            if not is_right:
                self.say(f"{name}:{number}: a {resource['resourceType']}")
                continue
            if key in self.found:
                self.say(f"{name}:{number}: the id {resource['id']} was there before")
            self.found[key] = resource
            resources.append(resource)
        order = [(one.get("start", ""), one["id"]) for one in resources]
        if order != sorted(order):
            self.say(f"{name}: the lines are not in their order")
        return resources

    def get(self, reference):
        return self.found.get(tuple(reference.split("/")))

    def of(self, kind):
        return [one for (its, _), one in self.found.items() if its == kind]


def findings(bodies, api):
    export = Set(bodies, api)
    if missing := [kind for kind in CATALOG if f"fhir/{kind}.ndjson" not in export.files]:
        return [*export.wrong, f"no file of {', '.join(missing)}"]
    for (kind, name), resource in export.found.items():
        for rules in (lambda: anywhere(export, resource, kind), lambda: RULES[kind](export, resource)):
            export.wrong += [f"{kind}/{name}: {what}" for what in safely(rules)]
    return export.wrong + safely(lambda: roles_are_licenses(export)) + safely(lambda: days(export))


def safely(rules):
    """What rules find. They expect a resource with all its parts, and fail on others."""
    found = []
    try:
        for what in rules():
            found.append(what)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        found.append(f"a part is missing or of another kind: {error!r}")
    return found


def anywhere(export, resource, kind):
    """What holds in every resource."""
    if not re.fullmatch(r"[A-Za-z0-9.-]{1,64}", resource["id"]):
        yield "FHIR does not allow this id"
    fields = set(resource) - {"resourceType", "id", "meta"}
    if lacking := REQUIRED[kind] - fields:
        yield f"no {', '.join(sorted(lacking))}"
    if unknown := fields - REQUIRED[kind] - OPTIONAL.get(kind, set()):
        yield f"not agreed on: {', '.join(sorted(unknown))}"
    claimed = {"meta": {"profile": [SSL + PROFILES[kind]]}} if kind in PROFILES else {}
    if {key: resource[key] for key in resource if key == "meta"} != claimed:
        yield f"meta is {resource.get('meta')}"
    for path, value in walk(resource, kind):
        if value is None or value == [] or value == {} or value == "":
            yield f"{path} is {value!r}"
        if isinstance(value, str) and value.lower() in ("null", "none", "undefined"):
            yield f"{path} is {value!r}"
        if isinstance(value, dict):
            yield from of_object(export, path, value)


def of_object(export, path, value):
    if "reference" in value:
        kinds = REFERENCES.get(path, set())
        if value["reference"].partition("/")[0] not in kinds:
            yield f"{path} leads to {value['reference']}"
        elif export.get(value["reference"]) is None:
            yield f"{path} leads nowhere: {value['reference']}"
    if "code" in value and isinstance(value["code"], str):
        at = path.removesuffix(".coding")
        at = re.sub(r"\.value(Coding|CodeableConcept)$", "", at)
        system, form = export.codes.get(at, (None, ""))
        if value.get("system") != system or not re.fullmatch(form, value["code"]):
            yield f"{at} has the code {value['code']} of {value.get('system')}"
    if "coding" in value and len(value["coding"]) != 1:
        yield f"{path} has {len(value['coding'])} codings"
    if path.endswith(".identifier"):
        if not str(value.get("system", "")).startswith("http") or value.get("value") in (None, "unknown"):
            yield f"the identifier {value}"
        if value["system"] == NPI and not is_npi(value["value"]):
            yield f"{value['value']} isn't an NPI"
    if path.endswith(".telecom") and value["system"] == "url" and not value["value"].startswith("https://"):
        yield f"{value['value']} is not an absolute URL"
    keys = [key for key in value if key.startswith("value")] if "url" in value and path.endswith("extension") else []
    if len(keys) + ("extension" in value) > 1:
        yield f"{value['url']} has {' and '.join(keys)}"


def roles_are_licenses(export):
    """One role for each license, and one place for each state of a role."""
    licenses = [one for one in export.of("Practitioner") if not is_unlicensed(export, one)]
    expected = {f"{short(one['id'])}.{state}" for one in licenses for state in licensed(one)}
    unlicensed = {short(one["id"]) for one in export.of("Practitioner") if one not in licenses}
    names = {one["id"] for one in export.of("PractitionerRole")}
    given = {name for name in names if name.rpartition(".")[0] not in unlicensed}
    if expected != given:
        yield f"roles and licenses differ in {sorted(expected ^ given)[:3]}"
    states = {name.rpartition(".")[2] for name in names}
    if states != {one["id"] for one in export.of("Location")}:
        yield "the places are not the states of the roles"


def days(export):
    """Each slot is in its day's file, and all slots of a visit are of one length."""
    lengths = {}
    for path, slots in export.files.items():
        if not path.startswith("fhir/slots/"):
            continue
        day = path.removeprefix("fhir/slots/")[:10]
        for slot in slots:
            if slot["start"][:10] != day:
                yield f"Slot/{slot['id']} is in the file of {day}"
            length = instant(slot["end"]) - instant(slot["start"])
            kind = slot["id"].split(".")[-2]
            if length.total_seconds() <= 0 or lengths.setdefault(kind, length) != length:
                yield f"Slot/{slot['id']} takes {length}"
    links = {len(one["extension"]) for one in export.of("Slot")}
    if len(links) > 1:
        yield "some slots have a link and some have none"
