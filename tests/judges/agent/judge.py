"""Seventy-seven tasks in words, for an agent that sees only the tools' texts.

It proves that the texts lead to the right tool, the right argument and the right field in few calls, and what that
costs. It does not prove that a language model reads them so: each task's goal is handed over as words with roles.
What must come out is worked out from the content files and from REST, never by the agent.
"""

import json
import tomllib
from statistics import median
from urllib.parse import urlencode

from agent.agent import POSTAL, Agent, Told, local, mornings
from agent.sentences import sentences
from frame import LOGS, ROOT, Failed

TUESDAY = 1
TASKS = 77
# What a task may cost in its median.
MEDIAN_TOKENS = 2000


class Truth:
    """The content files, read again, and REST."""

    def __init__(self, stage):
        self.stage = stage
        self.people = {}
        for path in sorted((ROOT / "content/providers").glob("*.toml")):
            self.people[path.stem] = tomllib.loads(path.read_text())
        types = tomllib.loads((ROOT / "content/appointment-types.toml").read_text())["type"]
        self.types = {one["name"]: one for one in types if one.get("enabled", True)}

    def get(self, path, **query):
        return json.loads(self.stage.get(f"{path}?{urlencode(query)}" if query else path))

    def named(self, state, kind=None, gender=None, plan=None, accepting=False):
        code = POSTAL[state]
        return sorted(
            person["display-name"]
            for person in self.people.values()
            if code in person["licensed"]
            and (kind is None or person["provider-type"] == kind)
            and (gender is None or person["gender"] == gender)
            and (plan is None or plan in {*person["insurance"].get("all", []), *person["insurance"].get(code, [])})
            and (not accepting or code in person["accepting"])
        )

    def slug(self, name):
        (slug,) = [slug for slug, person in self.people.items() if person["display-name"] == name]
        return slug

    def fortnight(self, state, **query):
        """What the plain list has, by default 14 days."""
        return self.get("/v1/availability", state=POSTAL[state], limit=200, **query)["slots"]

    def slots(self, state, **query):
        return self.get("/v1/availability", state=POSTAL[state], limit=200, horizonDays=30, **query)["slots"]


def tasks(truth):
    """Each task: its words, what the agent does with them, what must come out, and the fewest calls."""
    everywhere = sorted(state["name"] for state in truth.get("/v1/states")["states"])

    def where(agent):
        return sorted(state["name"] for state in agent.ask("where does the clinic offer care", {})["states"])

    yield "Where do you offer care?", where, everywhere, 1
    for state in ["Texas", "Hawaii", "Ohio", "Wyoming"]:
        covered = (lambda state: lambda agent: state in where(agent))(state)
        yield f"Do you offer care in {state}?", covered, state in everywhere, 1

    for state in ["California", "Texas", "New York", "Ohio", "Washington"]:
        code = POSTAL[state]
        taken = [one["insurance"] for one in truth.people.values() if code in one["licensed"]]
        plans = sorted({plan for one in taken for plan in [*one.get("all", []), *one.get(code, [])]})

        def accepted(agent, state=state):
            return sorted(agent.ask("which insurance plans are accepted", {"state": state})["insurances"])

        yield f"Which insurance do you take in {state}?", accepted, plans, 1

    for kind, state, plan in [
        ("physician", "California", "Goldenrod PPO"),
        ("physician", "Texas", "Bluebonnet Trail PPO"),
        ("nurse practitioner", "Texas", "Juniper Advantage"),
        ("physician", "New York", "Hudson Lantern EPO"),
        ("nurse practitioner", "Arizona", "harbor mutual hmo"),
        ("physician", "Ohio", "Two Bridges Community Plan"),
        ("nurse practitioner", "Washington", "Puget Fern Health"),
        ("nurse practitioner", "Florida", "Mangrove HMO"),
    ]:
        exact = {"harbor mutual hmo": "Harbor Mutual HMO"}.get(plan, plan)
        wire = {"physician": "physician", "nurse practitioner": "nursePractitioner"}[kind]

        def find(agent, kind=kind, state=state, plan=plan):
            facts = {"state": state, "kind": kind, "insurance plan": plan}
            found = agent.ask("find a clinician", facts, widest=True)["providers"]
            return sorted(one["displayName"] for one in found)

        yield f"Find a {kind} in {state} who takes {plan}.", find, truth.named(state, wire, plan=exact), 2

    for gender, state in [
        ("female", "Texas"),
        ("male", "New York"),
        ("non-binary", "California"),
        ("female", "Ohio"),
        ("other", "Colorado"),
    ]:
        wire = {"non-binary": "nonBinary"}.get(gender, gender)

        def of_gender(agent, gender=gender, state=state):
            facts = {"state": state, "gender": gender}
            found = agent.ask("find a clinician", facts, widest=True)["providers"]
            return sorted(one["displayName"] for one in found)

        yield f"Find a clinician in {state} whose gender is {gender}.", of_gender, truth.named(state, gender=wire), 1

    for state in ["California", "Massachusetts", "Texas", "Florida", "Arizona"]:

        def taking(agent, state=state):
            found = agent.ask("find a clinician", {"state": state, "kind": "physician"}, widest=True)["providers"]
            return sorted(one["displayName"] for one in found if agent.takes_new_patients(one, state))

        expected = truth.named(state, "physician", accepting=True)
        yield f"Which physicians in {state} take new patients?", taking, expected, 1

    for slug in ["amara-okonkwo", "le-thanh-mai", "siobhan-oreilly", "desmond-tillery", "wulandari"]:
        name = truth.people[slug]["display-name"]

        def studied(agent, name=name):
            profile = agent.ask("whole profile of the clinician", {"clinician": name})
            return sorted(one["institution"] for one in profile["education"])

        schools = sorted(one["institution"] for one in truth.people[slug].get("education", []))
        yield f"Where did {name} study?", studied, schools, 2

    for state in ["California", "Hawaii", "Ohio", "Massachusetts"]:

        def kinds(agent, state=state):
            answer = agent.ask("what visit types are there", {"state": state})
            return sorted(one["name"] for one in answer["appointmentTypes"])

        code = POSTAL[state]
        offered = {
            one["name"]
            for one in truth.types.values()
            if (one["states"] == "all" or code in one["states"])
            and any(code in p["accepting"] and one["id"] in p["appointment-types"] for p in truth.people.values())
        }
        yield f"What kinds of visits are there in {state}?", kinds, sorted(offered), 1

    for visit, state, zone in [
        ("Menopause consultation", "Texas", "America/Chicago"),
        ("New patient visit", "California", "America/Los_Angeles"),
        ("Follow-up visit", "New York", "America/New_York"),
        ("Sleep and mood visit", "Arizona", "America/Phoenix"),
        ("New patient visit", "Hawaii", "Pacific/Honolulu"),
        ("Menopause consultation", "Illinois", "America/Chicago"),
    ]:

        def next_visit(agent, visit=visit, state=state, zone=zone):
            answer = agent.ask("when can i be seen, open appointment", {"state": state, "visit type": visit})
            return answer["slots"] and local(answer["slots"][0]["startTime"], zone).isoformat()

        slots = truth.slots(state, appointmentType=truth.types[visit]["id"])
        expected = slots and local(slots[0]["startTime"], zone).isoformat()
        yield f"When is the next {visit} in {state}, in {zone} time?", next_visit, expected, 2

    for slug, state, zone in [
        ("amara-okonkwo", "California", "America/Los_Angeles"),
        ("priya-raghunathan", "Texas", "America/Chicago"),
        ("grace-kealoha", "Hawaii", "Pacific/Honolulu"),
        ("kavita-menon", "Ohio", "America/New_York"),
    ]:
        name = truth.people[slug]["display-name"]

        def tuesday(agent, name=name, state=state, zone=zone):
            facts = {"state": state, "clinician": name}
            answer = agent.ask("when can i be seen, open appointment", facts, widest=True)
            return [start.isoformat() for start in mornings(answer["slots"], zone, TUESDAY)[:1]]

        found = mornings(truth.slots(state, provider=slug), zone, TUESDAY)[:1]
        words = f"When is {name} next free on a Tuesday morning? I am in {state}, {zone} time."
        yield words, tuesday, [start.isoformat() for start in found], 2

    for state, plan, zone in [("Texas", "Goldenrod PPO", "America/Chicago"), ("Arizona", "Goldenrod PPO", "America/Denver")]:

        def anyone(agent, state=state, plan=plan, zone=zone):
            facts = {"state": state, "kind": "physician", "insurance plan": plan}
            found = agent.ask("find a clinician", facts, widest=True)["providers"]
            starts = []
            for one in found:
                if agent.takes_new_patients(one, state):
                    facts = {"state": state, "clinician": one["displayName"], "slug": one["slug"]}
                    slots = agent.ask("when can i be seen, open appointment", facts, widest=True)["slots"]
                    starts += [(start, one["displayName"]) for start in mornings(slots, zone, TUESDAY)[:1]]
            return [(start.isoformat(), name) for start, name in sorted(starts)[:1]]

        names = truth.named(state, "physician", plan=plan, accepting=True)
        starts = []
        for name in names:
            free = mornings(truth.slots(state, provider=truth.slug(name)), zone, TUESDAY)
            starts += [(start, name) for start in free[:1]]
        expected = [(start.isoformat(), name) for start, name in sorted(starts)[:1]]
        words = f"A physician in {state} who takes {plan}: who is free first on a Tuesday morning, in {zone} time?"
        yield words, anyone, expected, 2 + len(names)

    def atlantis(agent):
        return agent.ask("find a clinician", {"state": "Atlantis"})

    yield from sentences(truth)

    sentence = "I don't recognize the state “Atlantis”. Please give a US state name or two-letter code."
    yield "Find a clinician in Atlantis.", atlantis, sentence, 1


def attempt(stage, ask):
    """Every task once: the agent, a table of what came of it, and what went wrong."""
    agent, truth = Agent(ask), Truth(stage)
    table, wrong = [], []
    for words, do, expected, fewest in tasks(truth):
        calls, size, agent.route = agent.calls, agent.bytes, []
        try:
            outcome = do(agent)
        except Told as told:
            outcome = str(told)
        except (KeyError, TypeError, ValueError) as lost:
            outcome = f"lost: {lost!r}"
        used = agent.calls - calls
        table.append((used, fewest, (agent.bytes - size) // 4, outcome == expected, words))
        if outcome != expected:
            wrong.append(f"{words} {outcome} is not {expected} (by {', '.join(agent.route)})")
    return agent, table, wrong


def run(stage):
    def without_descriptions(method, params):
        """The endpoint as it would be if it said less: how many tasks do the descriptions decide?"""
        answer = stage.mcp(method, params)
        for tool in answer["result"].get("tools", []):
            tool["description"] = ""
        return answer

    agent, table, wrong = attempt(stage, stage.mcp)
    _, _, wrong_when_blind = attempt(stage, without_descriptions)
    lines = [f"{'calls':>5} {'least':>5} {'tokens':>7}  outcome  task"]
    for used, fewest, tokens, right, words in table:
        lines.append(f"{used:>5} {fewest:>5} {tokens:>7}  {'right' if right else 'WRONG':<7}  {words}")
    LOGS.mkdir(parents=True, exist_ok=True)
    lines += ["", *wrong, "", "Without the tools' descriptions:", *wrong_when_blind]
    (LOGS / "agent.log").write_text("\n".join(lines) + "\n")
    if len(table) != TASKS:
        raise Failed(f"{len(table)} tasks, not {TASKS}")
    if wrong:
        raise Failed(f"{len(wrong)} of {TASKS} wrong: {wrong[0][:200]}")
    if not wrong_when_blind:
        raise Failed("all is right without the descriptions, too: this proves nothing of them")
    shown = (len(agent.texts.encode()) + len(json.dumps(list(agent.tools.values())).encode())) // 4
    turns = sum(max(0, used - fewest) for used, fewest, *_ in table)
    tokens = sum(row[2] for row in table)
    middle = median(row[2] for row in table)
    if middle > MEDIAN_TOKENS:
        raise Failed(f"{middle:.0f} tokens in the median")
    return (
        f"{TASKS} of {TASKS} tasks, {agent.calls} calls, {turns} wrong turns; about {tokens} tokens in calls (bytes / 4), {middle:.0f} in the median,"
        f" after {shown} in the tools' texts; {TASKS - len(wrong_when_blind)} of {TASKS} without the descriptions"
    )
