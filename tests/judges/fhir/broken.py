"""Resources that judges must refuse: each is a right one with one mistake, and names the judges that can see it."""

import copy
import json
from dataclasses import dataclass
from typing import Callable

RESOURCES, NPM, PROFILES, OWN = "fhir-resources", "fhir-npm", "fhir-profiles", "fhir-own"
PATIENT_TYPE = "http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/patient-type"


@dataclass(frozen=True)
class Mistake:
    """`make` changes a resource of the type `kind`."""

    name: str
    kind: str
    make: Callable
    seen_by: tuple


MISTAKES = []


def mistake(kind, *seen_by):
    def keep(make):
        MISTAKES.append(Mistake(make.__name__.replace("_", " "), kind, make, seen_by))
        return make

    return keep


def broken(mistake, resources):
    """The first resource that the mistake can be made in, with the mistake."""
    for resource in resources:
        if resource["resourceType"] == mistake.kind:
            changed = copy.deepcopy(resource)
            mistake.make(changed)
            return changed
    raise LookupError(f"there is no {mistake.kind} to break")


def extension(resource, end):
    (found,) = [one for one in resource["extension"] if one["url"].endswith(end)]
    return found


# What FHIR itself forbids.


@mistake("Slot", NPM, OWN)
def a_status_that_does_not_exist(slot):
    slot["status"] = "open"


@mistake("Practitioner", NPM, OWN)
def a_gender_that_does_not_exist(practitioner):
    practitioner["gender"] = "nonBinary"


@mistake("Slot", RESOURCES, PROFILES, OWN)
def a_start_without_an_offset(slot):
    slot["start"] = slot["start"].removesuffix("Z")


@mistake("Slot", RESOURCES, PROFILES, OWN)
def a_start_without_seconds(slot):
    slot["start"] = slot["start"].removesuffix(":00Z") + "Z"


@mistake("Practitioner", RESOURCES, OWN)
def an_underscore_in_an_id(practitioner):
    practitioner["id"] += "_1"


@mistake("Slot", OWN)
def an_id_of_65_characters(slot):
    slot["id"] = slot["id"].ljust(65, "0")


@mistake("Location", RESOURCES, NPM, PROFILES, OWN)
def a_field_of_a_later_edition(location):
    location["virtualService"] = [{"addressUrl": "https://video.example"}]


@mistake("Slot", RESOURCES, NPM, PROFILES, OWN)
def no_schedule(slot):
    del slot["schedule"]


@mistake("Slot", RESOURCES, NPM, PROFILES, OWN)
def no_end(slot):
    del slot["end"]


@mistake("Practitioner", RESOURCES, NPM, PROFILES, OWN)
def a_text_where_a_truth_value_belongs(practitioner):
    practitioner["active"] = "yes"


@mistake("Location", RESOURCES, NPM, PROFILES)
def one_telecom_where_a_list_belongs(location):
    location["telecom"] = location["telecom"][0]


@mistake("Slot", RESOURCES, PROFILES, OWN)
def two_values_in_one_extension(slot):
    extension(slot, "/patient-type")["valueString"] = "newpt"


@mistake("Slot", NPM, PROFILES, OWN)
def a_reference_to_another_type(slot):
    slot["schedule"]["reference"] = "Location/CA"


@mistake("PractitionerRole", NPM, PROFILES, OWN)
def a_practitioner_that_is_an_organization(role):
    role["practitioner"]["reference"] = "Organization/organization"


@mistake("PractitionerRole", RESOURCES, OWN)
def an_empty_list(role):
    role["location"] = []


@mistake("Practitioner", NPM, PROFILES, OWN)
def a_null(practitioner):
    practitioner["photo"] = None


@mistake("Practitioner", RESOURCES, OWN)
def an_empty_text(practitioner):
    practitioner["name"][0]["text"] = ""


# What the profiles forbid.


@mistake("Slot", PROFILES, OWN)
def no_patient_type(slot):
    slot["extension"].remove(extension(slot, "/patient-type"))


@mistake("Slot", PROFILES, OWN)
def two_patient_types(slot):
    slot["extension"].append(extension(slot, "/patient-type"))


@mistake("Slot", PROFILES, OWN)
def a_patient_type_of_another_system(slot):
    coding = extension(slot, "/patient-type")["valueCoding"]
    coding["system"] = "http://hl7.org/fhir/us/davinci-pdex-plan-net/CodeSystem/AcceptingPatientsCS"


@mistake("Slot", OWN)
def a_patient_type_that_does_not_exist(slot):
    extension(slot, "/patient-type")["valueCoding"]["code"] = "new"


@mistake("Practitioner", PROFILES, OWN)
def two_identifiers(practitioner):
    practitioner["identifier"].append({"system": "https://clinic.example/staff", "value": "7"})


@mistake("Practitioner", PROFILES, OWN)
def no_identifier(practitioner):
    del practitioner["identifier"]


@mistake("Practitioner", PROFILES, OWN)
def no_family_name(practitioner):
    del practitioner["name"][0]["family"]


@mistake("Schedule", PROFILES, OWN)
def no_service_type(schedule):
    del schedule["serviceType"]


@mistake("Location", PROFILES, OWN)
def no_telecom(location):
    del location["telecom"]


@mistake("Location", PROFILES, OWN)
def a_mode(location):
    location["mode"] = "instance"


@mistake("PractitionerRole", PROFILES, OWN)
def new_patients_without_an_answer(role):
    extension(role, "/newpatients")["extension"] = [{"url": "fromNetwork", "valueReference": {"display": "a plan"}}]


@mistake("HealthcareService", PROFILES, OWN)
def a_service_without_a_category(service):
    del service["category"]


@mistake("Practitioner", PROFILES, OWN)
def a_license_that_is_not_active(practitioner):
    license = practitioner["qualification"][0]["extension"][0]["extension"]
    license[0]["valueCode"] = "revoked"


# Mistakes on which readers of the export fail.


@mistake("Practitioner", OWN)
def an_npi_with_a_wrong_check_digit(practitioner):
    (identifier,) = practitioner["identifier"]
    identifier["system"] = "http://hl7.org/fhir/sid/us-npi"
    identifier["value"] = "9120047186"


@mistake("Practitioner", OWN)
def an_identifier_that_says_unknown(practitioner):
    practitioner["identifier"][0]["value"] = "unknown"


@mistake("Practitioner", OWN)
def a_time_of_export(practitioner):
    practitioner["meta"]["lastUpdated"] = "2026-11-22T18:00:00Z"


@mistake("Schedule", OWN)
def a_second_coding_without_a_system(schedule):
    schedule["serviceType"][0]["coding"].append({"code": "101"})


@mistake("Schedule", OWN)
def a_schedule_without_a_place(schedule):
    schedule["actor"] = [one for one in schedule["actor"] if not one["reference"].startswith("Location/")]


@mistake("Schedule", OWN)
def an_actor_that_is_not_published(schedule):
    schedule["actor"][0]["reference"] = "Practitioner/nobody"


@mistake("PractitionerRole", OWN)
def a_role_in_another_state(role):
    role["location"][0]["reference"] = "Location/NY" if role["id"].endswith(".CA") else "Location/CA"


@mistake("PractitionerRole", OWN)
def a_specialty_outside_the_taxonomy(role):
    role["specialty"][0]["coding"][0]["code"] = "Obstetrics"


@mistake("Slot", OWN)
def an_end_before_the_start(slot):
    slot["start"], slot["end"] = slot["end"], slot["start"]


@mistake("Slot", OWN)
def another_length_than_its_type_has(slot):
    slot["end"] = slot["start"][:-5] + "7:00Z"


@mistake("Slot", OWN)
def an_id_of_another_start(slot):
    slot["id"] = slot["id"][:-1] + "7"


@mistake("Slot", OWN)
def two_links_that_differ(slot):
    slot["extension"][0]["valueUrl"] += "&state=CA"


@mistake("Slot", OWN)
def a_relative_link(slot):
    for one in slot["extension"][:2]:
        one["valueUrl"] = "/book"


@mistake("Location", OWN)
def a_street_that_no_one_can_visit(location):
    location["address"]["line"] = ["1 Larkspur Way"]


# What is wrong with a whole file: a name, its path, and what changes its body. Without a body there is no file.
FILES = [
    ("a line twice", "fhir/Schedule.ndjson", lambda body: body + body.splitlines(True)[0]),
    ("lines out of order", "fhir/Location.ndjson", lambda body: b"".join(reversed(body.splitlines(True)))),
    ("a line that does not end", "fhir/Practitioner.ndjson", lambda body: body.rstrip(b"\n")),
    ("an empty line", "fhir/Practitioner.ndjson", lambda body: body + b"\n"),
    ("a list as a line", "fhir/Organization.ndjson", lambda body: b"[" + body.rstrip(b"\n") + b"]\n"),
    ("a resource of another type", "fhir/Schedule.ndjson", lambda body: body.replace(b'"Schedule"', b'"Slot"', 1)),
    ("a missing role", "fhir/PractitionerRole.ndjson", lambda body: b"".join(body.splitlines(True)[1:])),
    ("an empty file of places", "fhir/Location.ndjson", lambda body: b""),
    ("no file of schedules", "fhir/Schedule.ndjson", lambda body: None),
    ("an emptied day", "fhir/slots/2026-11-23.ndjson", lambda body: b""),
    ("a missing day", "fhir/slots/2026-11-23.ndjson", lambda body: None),
]


def export(mistake, bodies):
    """An export with the mistake in the first line where it can be made."""
    for path, body in sorted(bodies.items()):
        lines = body.decode().splitlines(True) if path.endswith(".ndjson") else []
        if lines and json.loads(lines[0])["resourceType"] == mistake.kind:
            changed = json.dumps(broken(mistake, [json.loads(lines[0])]), separators=(",", ":"), ensure_ascii=False)
            return {**bodies, path: "".join([changed + "\n", *lines[1:]]).encode()}
    raise LookupError(f"there is no {mistake.kind} to break")
