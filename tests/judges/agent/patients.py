"""Fifteen tasks of patients who know when, with whom, or how, in their own time zone.

The expected answers come from the plain lists of REST, in UTC, put into time zones here, and from the content files.
"""

import tomllib
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agent.agent import POSTAL, local
from frame import NOW, ROOT

WHEN = "when can i be seen, open appointment"
TUESDAY = 1
CUT = 200


def patients(truth):
    yield from weeks_ahead(truth)
    yield from evenings(truth)
    yield from returning(truth)
    yield from booking()
    yield from plans(truth)
    yield from compared(truth)


def openings(truth, state, **query):
    """Every opening in a state, in 30 days, by its clinician: requested one by one, so that no list stays cut."""
    found = set()
    for slug, one in truth.people.items():
        if POSTAL[state] not in one["accepting"]:
            continue
        start = NOW
        while True:
            page = truth.slots(state, provider=slug, **{"from": start}, **query)
            found |= {(slot["startTime"], slot["providerSlug"]) for slot in page}
            if len(page) < CUT:
                break
            start = page[-1]["startTime"]
    return found


def first(slots):
    return sorted((slot["startTime"], slot["providerSlug"]) for slot in slots)[:1]


def weeks_ahead(truth):
    for state, zone in [("California", "America/Los_Angeles"), ("Texas", "America/Chicago"), ("Hawaii", "Pacific/Honolulu")]:
        now = datetime.fromisoformat(NOW).astimezone(ZoneInfo(zone))
        day = (now + timedelta(days=21 + (TUESDAY - now.weekday()) % 7)).date()

        def on_day(agent, state=state, zone=zone, day=day):
            facts = {"state": state, "as slots time later": str(day), "as slots before time": str(day), "as patient time zone": zone}
            return first(agent.ask(WHEN, facts, widest=True)["slots"])

        expected = sorted(one for one in openings(truth, state) if local(one[0], zone).date() == day)[:1]
        yield f"Is anything open on the Tuesday in three weeks? I am in {state}.", on_day, expected, 1


def evenings(truth):
    for state, zone in [("California", "America/Los_Angeles"), ("New York", "America/New_York"), ("Arizona", "America/Phoenix")]:

        def evening(agent, state=state, zone=zone):
            slots = agent.ask(WHEN, {"state": state, "part of the day": "evening", "as patient time zone": zone}, widest=True)["slots"]
            return [local(slot["startTime"], zone).isoformat() == slot["localTime"] and one for slot in slots[:1] for one in first(slots)]

        expected = sorted(one for one in openings(truth, state) if local(one[0], zone).hour >= 17)[:1]
        yield f"What is the first evening that is open in {state}?", evening, expected, 1


def returning(truth):
    """A clinician's current patient may come back where no new patients are accepted."""
    for slug, state in [("ingrid-solheim", "Arizona"), ("ingrid-solheim", "Texas")]:
        name = truth.people[slug]["display-name"]
        assert POSTAL[state] not in truth.people[slug]["accepting"]

        def again(agent, name=name, state=state):
            return first(agent.ask(WHEN, {"state": state, "visit type": "Follow-up visit", "clinician": name})["slots"])

        slots = truth.slots(state, provider=slug, appointmentType=truth.types["Follow-up visit"]["id"])
        yield f"{name} sees me already. When is the next follow-up in {state}?", again, first(slots), 3


def booking():
    address = tomllib.loads((ROOT / "content/directory.toml").read_text())["address"]
    for state in ["Texas", "Ohio"]:

        def how(agent, state=state):
            told = agent.ask(WHEN, {"state": state, "as how book": True})
            known = all(slot["providerSlug"] in told["clinicians"] for slot in told["slots"])
            return known and told["booking"]["phone"]

        yield f"How do I book in {state}, and with whom?", how, address["phone"], 1


def plans(truth):
    """A plan that is not taken is answered with those that are, never with one that shares a word."""
    for state in ["Arizona", "Hawaii"]:
        code = POSTAL[state]
        taken = {plan for one in truth.people.values() if code in one["licensed"] for plan in [*one["insurance"].get("all", []), *one["insurance"].get(code, [])]}

        def asked(agent, state=state):
            return agent.call(agent.choose("find a clinician"), {"state": state, "insurance": "Blue Cross"})

        expected = f"Blue Cross isn't accepted in {state}. Accepted plans there: {', '.join(sorted(taken))}."
        yield f"Do you take Blue Cross in {state}?", asked, expected, 1


def compared(truth):
    for names, state in [
        (("amara-okonkwo", "ingrid-solheim"), "California"),
        (("le-thanh-mai", "priya-raghunathan"), "Texas"),
        (("ingrid-solheim", "siobhan-oreilly"), "New York"),
    ]:

        def sooner(agent, names=names, state=state):
            told = agent.ask(WHEN, {"state": state, "each": "provider", "as how book": True})
            return first(slot for slot in told["slots"] if slot["providerSlug"] in names)

        expected = sorted(one for one in openings(truth, state) if one[1] in names)[:1]
        people = " or ".join(truth.people[slug]["display-name"] for slug in names)
        yield f"Who is free first in {state}: {people}?", sooner, expected, 1
