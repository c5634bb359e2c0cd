"""The files for insurers and for the national directory: the tables of CMSgov/QHP-provider-formulary-APIs (README.md,
"Providers") and the 22 columns of CMS's National Provider Directory told again, and compared with the FHIR export."""

import csv
import io
import json
import re

from .own import NPI, Set, is_npi, safely
from .rules import accepts, licensed

PROVIDERS = "exports/qhp-providers.json"
SUFFIXES = {"Jr.", "Sr.", "II", "III", "IV"}
STATE = re.compile("[A-Z]{2}")
GENDERS = {"male": "Male", "female": "Female", "other": "Other", "unknown": None}
COLUMNS = """submitter_name submitting_for_name personal_npi personal_last_name organizational_npi organization_name
    service_address_line1 service_address_line2 service_address_city service_address_state service_address_zip_code
    service_address_country_code is_currently_practicing fhir_endpoint_url fhir_endpoint_type
    fhir_endpoint_smart_capabilities_url fhir_endpoint_developer_documentation_url fhir_endpoint_developer_signup_url
    fhir_endpoint_swagger_url fhir_endpoint_openapi_url fhir_general_sandbox_url
    fhir_specific_sandbox_endpoint_url""".split()


class People:
    """The clinicians of the FHIR export who have an NPI, by it."""

    def __init__(self, bodies, api):
        export = Set(bodies, api)
        self.api = api
        (self.organization,) = export.of("Organization")
        self.by_npi, self.roles = {}, {}
        for one in export.of("Practitioner"):
            if one["identifier"][0]["system"] == NPI:
                self.by_npi[one["identifier"][0]["value"]] = one
        for npi, one in self.by_npi.items():
            name = f"Practitioner/{one['id']}"
            self.roles[npi] = [role for role in export.of("PractitionerRole") if role["practitioner"]["reference"] == name]


def entries(body, bodies, api):
    """What is wrong with providers.json."""
    try:
        people, providers = People(bodies, api), json.loads(body)
    except (ValueError, KeyError) as error:
        return [f"it cannot be read: {error!r}"]
    if not isinstance(providers, list) or not providers:
        return ["it is not a list of providers"]
    numbers = [one.get("npi") for one in providers if isinstance(one, dict)]
    found = ["an NPI is there twice"] if len(set(map(str, numbers))) < len(providers) else []
    for number, provider in enumerate(providers, 1):
        found += [f"{number}: {what}" for what in safely(lambda: entry(provider, people))]
    return found


def entry(provider, people):
    required = {"npi", "type", "name", "addresses", "specialty", "speciality", "accepting", "plans", "last_updated_on"}
    yield from fields(provider, required, {"gender", "languages"}, "a provider")
    if not is_npi(provider["npi"]):
        yield f"{provider['npi']} is no NPI"
    if provider["type"] != "INDIVIDUAL":
        yield f"the type {provider['type']}"
    fhir = people.by_npi[provider["npi"]]
    yield from name(provider["name"], fhir)
    yield from address(provider["addresses"], people.organization)
    specialties = [one["coding"][0]["display"] for one in people.roles[provider["npi"]][0]["specialty"]]
    if provider["specialty"] != specialties or provider["speciality"] != specialties:
        yield f"the specialties are {specialties} in FHIR"
    states = licensed(fhir)
    taking = [accepts(role) for role in people.roles[provider["npi"]]].count("newpt")
    accepting = "accepting" if taking == len(states) else "accepting in some locations" if taking else "not accepting"
    if provider["accepting"] != accepting:
        yield f"{provider['accepting']}, and the roles say {accepting}"
    if provider.get("gender") != GENDERS[fhir["gender"]]:
        yield f"the gender {provider.get('gender')}"
    spoken = [one["coding"][0]["display"] for one in fhir.get("communication", [])]
    if provider.get("languages", []) != spoken:
        yield f"the languages are {spoken} in FHIR"
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", provider["last_updated_on"]):
        yield f"the date {provider['last_updated_on']}"
    if not provider["plans"]:
        yield "no plan"
    if len({json.dumps(plan, sort_keys=True) for plan in provider["plans"]}) < len(provider["plans"]):
        yield "a plan is there twice"
    for plan in provider["plans"]:
        yield from of_plan(plan, states)


def left_out(body, bodies, api):
    """Clinicians who are not in providers.json although FHIR has all that it needs. Every plan must have an id everywhere."""
    people, listed = People(bodies, api), {one["npi"] for one in json.loads(body)}
    for npi, one in people.by_npi.items():
        plans = [plan for role in people.roles[npi] for plan in role["extension"] if plan["url"].endswith("/network-reference")]
        if plans and one["name"][0].get("given") and "specialty" in people.roles[npi][0] and npi not in listed:
            yield f"{one['name'][0]['text']} is left out"


def fields(value, required, optional, what):
    if missing := required - set(value):
        yield f"{what} without {', '.join(sorted(missing))}"
    if unknown := set(value) - required - optional:
        yield f"{what} with {', '.join(sorted(unknown))}"
    if empty := [key for key, one in value.items() if one in (None, "", [], {})]:
        yield f"{what} with an empty {empty[0]}"


def name(name, fhir):
    yield from fields(name, {"first", "last"}, {"middle", "suffix"}, "a name")
    human = fhir["name"][0]
    given = [name["first"], *name.get("middle", "").split()]
    if name["last"] != human["family"] or " ".join(given) != " ".join(human["given"]):
        yield f"the name {name}"
    generations = [suffix for suffix in human.get("suffix", []) if suffix in SUFFIXES]
    if ([name["suffix"]] if "suffix" in name else []) != generations:
        yield f"the suffix {name.get('suffix')}"


def address(addresses, organization):
    (one,) = addresses
    yield from fields(one, {"address", "city", "state", "zip", "phone"}, {"address_2"}, "an address")
    if not STATE.fullmatch(one["state"]) or not re.fullmatch("[0-9]{5}", one["zip"]):
        yield f"{one['state']} {one['zip']}"
    if not re.fullmatch("[0-9]{10}", one["phone"]):
        yield f"the phone {one['phone']}"
    (home,) = organization["address"]
    lines = [one["address"], *([one["address_2"]] if "address_2" in one else [])]
    given = lines, one["city"], one["state"], one["zip"]
    if given != (home["line"], home["city"], home["state"], home["postalCode"][:5]):
        yield "the address is not the organization's"


def of_plan(plan, states):
    yield from fields(plan, {"plan_id_type", "plan_id", "network_tier"}, set(), "a plan")
    if plan["plan_id_type"] != "HIOS-PLAN-ID":
        yield f"the plan_id_type {plan['plan_id_type']}"
    if not re.fullmatch("[0-9]{5}[A-Z]{2}[0-9]{7}", plan["plan_id"]) or plan["plan_id"][5:7] not in states:
        yield f"the plan {plan['plan_id']} of a clinician in {', '.join(states)}"
    if plan["network_tier"] != plan["network_tier"].upper():
        yield f"the network_tier {plan['network_tier']}"


def rows(body, bodies, api):
    """What is wrong with the submission to the national directory."""
    found = []
    if b"\n" in body.replace(b"\r\n", b"") or not body.endswith(b"\r\n"):
        found.append("its lines do not end as RFC 4180 says")
    try:
        people = People(bodies, api)
        table = list(csv.reader(io.StringIO(body.decode(), newline=""), strict=True))
    except (csv.Error, ValueError, KeyError) as error:
        return [*found, f"it cannot be read: {error!r}"]
    if not table or table[0] != COLUMNS:
        return [*found, "its columns are not the directory's"]
    numbers = [row[COLUMNS.index("personal_npi")] for row in table[1:] if len(row) == len(COLUMNS)]
    if sorted(numbers) != sorted(people.by_npi):
        found.append("its rows are not the clinicians with an NPI")
    for number, row in enumerate(table[1:], 2):
        if len(row) != len(COLUMNS):
            found.append(f"row {number} has {len(row)} cells")
        else:
            cells = dict(zip(COLUMNS, row))
            found += [f"row {number}: {what}" for what in safely(lambda: cells_of(cells, people))]
    return found


def cells_of(cells, people):
    (home,) = people.organization["address"]
    line = [*home["line"], ""]
    expected = {
        "submitter_name": people.organization["name"],
        "submitting_for_name": people.organization["name"],
        "personal_last_name": people.by_npi[cells["personal_npi"]]["name"][0]["family"],
        "organization_name": people.organization["name"],
        "service_address_line1": line[0],
        "service_address_line2": line[1],
        "service_address_city": home["city"],
        "service_address_state": home["state"],
        "service_address_zip_code": home["postalCode"],
        "service_address_country_code": "US",
        "is_currently_practicing": "1",
        "fhir_endpoint_url": f"{people.api}/fhir",
        "fhir_endpoint_type": "Scheduling",
    }
    for column, value in expected.items():
        if cells[column] != value:
            yield f"{column} is {cells[column]!r} instead of {value!r}"
    identifier = people.organization["identifier"][0]
    if cells["organizational_npi"] != (identifier["value"] if identifier["system"] == NPI else ""):
        yield f"organizational_npi is {cells['organizational_npi']!r}"
    for column in COLUMNS[15:]:
        if cells[column] and not cells[column].startswith("https://"):
            yield f"{column} is {cells[column]!r}"


def mistakes():
    """providers.json with one mistake in its first entry: a name, and what changes a right one."""

    def of(**changed):
        return lambda one: one.update(changed)

    def inside(field, **changed):
        return lambda one: (one[field][0] if isinstance(one[field], list) else one[field]).update(changed)

    yield "a wrong check digit", of(npi="9120047186")
    yield "a number for an NPI", of(npi=9120047185)
    yield "an NPI that FHIR does not have", of(npi="1234567893")
    yield "a type in small letters", of(type="individual")
    yield "accepting as a truth value", of(accepting=True)
    yield "accepting in a state without a license", of(accepting="accepting")
    yield "no last name", lambda one: one["name"].pop("last")
    yield "credentials as a suffix", inside("name", suffix="MD")
    yield "one address", lambda one: one.update(address=one.pop("addresses")[0])
    yield "a short zip", inside("addresses", zip="9460")
    yield "a phone with signs", inside("addresses", phone="+1-510-555-0100")
    yield "a specialty as a text", of(specialty="Obstetrics")
    yield "one spelling alone", lambda one: one.pop("speciality")
    yield "no plans", of(plans=[])
    yield "a plan of another state", inside("plans", plan_id="12345TX0010001")
    yield "a plan with 13 characters", inside("plans", plan_id="12345CA001000")
    yield "a tier in small letters", inside("plans", network_tier="preferred")
    yield "a gender of FHIR", of(gender="other")
    yield "languages as codes", of(languages=["en"])
    yield "a date with a time", of(last_updated_on="2026-11-02T00:00:00Z")
    yield "a date left out", lambda one: one.pop("last_updated_on")
    yield "a null", of(gender=None)


def csv_mistakes():
    """A submission with one mistake: a name, and what changes a right one."""
    yield "lines that end with LF", lambda body: body.replace(b"\r\n", b"\n")
    yield "a column too few", lambda body: body.replace(b"submitter_name,", b"", 1)
    yield "columns out of order", lambda body: body.replace(b"personal_npi,personal_last_name", b"personal_last_name,personal_npi")
    yield "a cell too many", lambda body: body.removesuffix(b"\r\n") + b",more\r\n"
    yield "a row too few", lambda body: body.split(b"\r\n")[0] + b"\r\n"
    yield "a row twice", lambda body: body + body.split(b"\r\n")[1] + b"\r\n"
    yield "a wrong check digit", lambda body: body.replace(b"9120047185", b"9120047186")
    yield "a quote that does not end", lambda body: body.replace(b"Larkspur Health", b'"Larkspur Health', 1)
    yield "another endpoint", lambda body: body.replace(b"/fhir,", b"/v1,")
    yield "an endpoint of another type", lambda body: body.replace(b",Scheduling,", b",FHIR,")
