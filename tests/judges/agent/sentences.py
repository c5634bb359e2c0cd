"""Twelve tasks of one sentence each: several wishes that one call must meet.

The expected answers are filtered here, from the content files and from the plain lists of REST.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agent.agent import POSTAL, as_said, local
from agent.patients import patients
from frame import NOW

WHEN = "when can i be seen, open appointment"
THURSDAY = 3


def sentences(truth):
    yield from after_five(truth)
    yield from spoken(truth)
    yield from soonest(truth)
    yield from found_by_words(truth)
    yield from patients(truth)


def day_after(zone, weekday, hour):
    """The next such day at that hour, as a patient there means it."""
    now = datetime.fromisoformat(NOW).astimezone(ZoneInfo(zone)) + timedelta(days=1)
    day = now + timedelta(days=(weekday - now.weekday()) % 7)
    return day.replace(hour=hour, minute=0, second=0, microsecond=0)


def after_five(truth):
    """From Thursday at five on: the first times of a state, which the plain list may cut off long before."""
    for state, zone in [("California", "America/Los_Angeles"), ("Texas", "America/Chicago"), ("Ohio", "America/New_York")]:
        start = as_said(day_after(zone, THURSDAY, 17))

        def first(agent, state=state, start=start):
            slots = agent.ask(WHEN, {"state": state, "as slots time later": start})["slots"]
            return [(slot["startTime"], slot["providerSlug"]) for slot in slots[:1]]

        # Every clinician's own list is short enough to be whole.
        people = [slug for slug, one in truth.people.items() if POSTAL[state] in one["accepting"]]
        slots = [slot for slug in people for slot in truth.slots(state, provider=slug)]
        times = sorted(slot["startTime"] for slot in slots if slot["startTime"] >= start)
        within = [time for time in times if time < as_said(datetime.fromisoformat(NOW) + timedelta(days=14))]
        expected = [slot for slot in truth.slots(state, **{"from": start}) if slot["startTime"] == (within or [None])[0]]
        expected = [(slot["startTime"], slot["providerSlug"]) for slot in expected[:1]]
        yield f"When is the first time next Thursday after five or later, in {state}?", first, expected, 1


def spoken(truth):
    for language, state in [("Spanish", "California"), ("Mandarin", "California"), ("Spanish", "Texas")]:

        def who(agent, language=language, state=state):
            facts = {"state": state, "as language": language}
            found = agent.ask("find a clinician", facts, widest=True)["providers"]
            return sorted(one["displayName"] for one in found)

        people = [one for one in truth.people.values() if POSTAL[state] in one["licensed"]]
        expected = sorted(one["display-name"] for one in people if language in one.get("languages", []))
        yield f"I'm looking for someone in {state} who speaks {language}.", who, expected, 1


def soonest(truth):
    """Who can see me soonest on this plan: one call instead of one for each clinician."""
    for plan, state, gender in [
        ("Juniper Advantage", "Texas", None),
        ("Goldenrod PPO", "California", "female"),
        ("Goldenrod PPO", "New York", "female"),
    ]:

        def first(agent, plan=plan, state=state, gender=gender):
            facts = {"state": state, "insurance plan": plan, "gender": gender or "", "each": "provider", "as new patients": True}
            slots = agent.ask(WHEN, facts)["slots"]
            return sorted({(slot["startTime"], slot["providerSlug"]) for slot in slots})

        code, starts = POSTAL[state], []
        bookable = [one["id"] for one in truth.types.values() if one.get("new-patient-eligible", True) and one.get("duration")]
        for slug, one in truth.people.items():
            taken = {*one["insurance"].get("all", []), *one["insurance"].get(code, [])}
            if code not in one["accepting"] or plan not in taken or (gender and one["gender"] != gender):
                continue
            own = [slot["startTime"] for kind in bookable for slot in truth.fortnight(state, provider=slug, appointmentType=kind)]
            starts += [(min(own), slug)] if own else []
        yield f"Who can see me soonest in {state} on {plan}? I am new. Gender: {gender or 'any'}.", first, sorted(starts), 2


def found_by_words(truth):
    for text, slug in [("okonkwo", "amara-okonkwo"), ("Dr. Oreilly", "siobhan-oreilly"), ("okonkow", "amara-okonkwo")]:

        def named(agent, text=text):
            found = agent.ask("find a clinician", {"as words names": text}, widest=True)["providers"]
            return [one["slug"] for one in found]

        yield f"Is there a clinician called {text}?", named, [slug], 1
