"""Variants of the cases: what must not be published, what must not change, and ids that are hard to join."""

import json
import re

from frame import NOW, ROOT, Failed, Stage, bounded

from . import exports, live, manifest, own

# The number of a clinician of the cases.
CLINICIAN = b"9120047185"
# What must stand in the cases' exports and in no other file of their tree.
PRIVATE = [CLINICIAN, b"9941339100", b"207V00000X"]
# Changes to the cases.
TABLE = ("directory.toml", r"(?ms)^\[standards\].*?(?=^\[|\Z)", "")
SILENCE = ("directory.toml", "publish-npis *= *true", "publish-npis = false")
HARD = [
    ("providers/jane-doe.toml", "prov-0001", "a.long-id." + "0123456789" * 5 + "NY.1"),
    ("providers/sol.toml", "prov-0002", "prov-0001.101.1795442400"),
    ("directory.toml", "(?m)^booking-url.*$", ""),
]

LONG_NAMES = [
    ("providers/marcus-bellweather.toml", "Marcus Bellweather", "Marcus A. J. Bellweather Jr."),
    ("providers/rowan-achterberg.toml", "Rowan Achterberg", "Rowan Achterberg III"),
    ("providers/ingrid-solheim.toml", "Ingrid Solheim", "Ingrid Anne-Marie Solheim"),
]
SPECIALTIES = """
[[specialty]]
code = "207V00000X"
name = "Obstetrics & Gynecology"

[[specialty]]
code = "207R00000X"
name = "Internal Medicine"
"""
CONFIRMED = """
[confirmed]
on = 2026-02-01
by = "clinician"
"""


def of_files(right):
    """What is wrong with the files of the cases and of a variant that hides numbers."""
    return kept_private(right) + with_the_clock(right) + without_npis(right)


def all_of(stage):
    """Clinics with unusual values. Made once for each stage."""
    made = getattr(stage, "variants", None)
    if made is None:
        right = exports.cases(stage)
        made = stage.variants = {"hard": hard_ids(right), "full": full(stage)}
    return made


def whole(made):
    return own.findings(made.bodies, made.api) + manifest.findings(made.bodies, made.api)


def other_roles(made, roles):
    """The roles that are not those of the clinicians' professions."""
    for line in made.bodies["fhir/PractitionerRole.ndjson"].splitlines():
        role = json.loads(line)
        code, who = role["code"][0]["coding"][0]["code"], role["practitioner"]["reference"].removeprefix("Practitioner/")
        if code != roles[who]:
            yield f"{role['id']}: {who} has the role {code}"


def kept_private(made):
    """What the content has for the export alone is in no answer, no page and no description. A page may tell search
    engines the NPI that the clinic publishes."""
    published = re.compile(rb'"(?:usNPI|value)":"' + CLINICIAN + b'"')
    return [
        f"{path} has {word.decode()}"
        for path, body in bodies(made.stage.tree).items()
        for word in PRIVATE
        if word in (published.sub(b"", body) if path.endswith(".html") else body) and not path.startswith("fhir/")
    ]


def with_the_clock(made):
    """After a minute and after an hour, the manifest and today's slots alone are others."""
    today, wrong, changed = {manifest.MANIFEST, "fhir/slots/2026-11-23.ndjson"}, [], set()
    first, *later = [bodies(exports.by_the_clock(made, f"2026-11-23T{time}:00Z")) for time in ("12:30", "12:31", "13:30")]
    for bucket in later:
        changed = {path for path in first.keys() | bucket.keys() if first.get(path) != bucket.get(path)}
        wrong += [f"{path} changed with the clock" for path in changed - today]
    return wrong if changed == today else [*wrong, "an hour later today's slots are the same"]


def bodies(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def hard_ids(right):
    """Ids of 64 characters, with dots and like compounds, and no booking link."""
    content = exports.altered(right.stage.content, "hard", *HARD)
    return exports.export(right.stage, "hard", content, right.stage.now)


def full(stage):
    """The demo with what its clinicians lack: specialties, confirmations, long names."""
    content = exports.altered(stage.content, "full", *LONG_NAMES)
    directory = content / "directory.toml"
    if "standards" not in exports.directory(content):
        directory.write_text(directory.read_text() + '\n[standards]\npublish-npis = true\n')
    roles = {}
    for number, file in enumerate(sorted((content / "providers").glob("*.toml"))):
        profession = list(own.ROLES)[number % len(own.ROLES)]
        text = re.sub('(?m)^provider-type = .*$', f'provider-type = "{profession}"', file.read_text())
        roles[re.search('(?m)^id *= *"(.*)"', text)[1]] = own.ROLES[profession]
        text += SPECIALTIES if profession == "physician" else ""
        file.write_text(text + ("" if "[confirmed]" in text else CONFIRMED))
    made = exports.export(stage, "full", content, NOW)
    if wrong := list(other_roles(made, roles)):
        raise Failed(f"full: {'; '.join(wrong)}")
    return made


def without_npis(right):
    """A clinic that keeps its clinicians' numbers: they are nowhere, and everything else is as right as before."""
    content = exports.altered(right.stage.content, "quiet", SILENCE)
    made = exports.export(right.stage, "quiet", content, right.stage.now)
    wrong = [f"without NPIs: {path} has one" for path, body in made.bodies.items() if CLINICIAN in body]
    return wrong + [f"without NPIs: {what}" for what in whole(made)]


def without_standards(right):
    """A clinic without the table has no path of the export."""
    content = exports.altered(right.stage.content, "plain", TABLE)
    plain = Stage(content, content.parent / "tree", right.stage.now, right.stage.binary)
    plain.build()
    wrong = ["without [standards] there is fhir"] if (plain.tree / "fhir").exists() else []
    export = [plain.binary, "export", content.parent / "bucket", "--content", content]
    said = bounded(export, "export", 60, cwd=ROOT, accept=(1, 2))
    wrong += [] if "[standards]" in said else ["export does not say that [standards] is missing"]
    plain.start()
    try:
        reader = live.Reader(plain)
        for path in ["fhir", "fhir/metadata", "fhir/Practitioner/prov-0001", *right.bodies]:
            status, _, _ = reader.ask(path)
            reader.expect(status == 404, f"without [standards] {path} is {status}")
        return wrong + reader.wrong
    finally:
        plain.stop()
