"""A scripted agent: it knows of the directory only what the endpoint says of itself.

It has no language model in it. It reads a goal (a handful of words with their roles), chooses tools by the words
that goal and descriptions share, learns from the descriptions which tool's result fills which argument, and takes
bounds, enumerations and required arguments from the input schemas. So it finds its way exactly as far as these texts
show it. Of the world it knows what every assistant knows: the states' postal codes, and time zones.
"""

import re
from datetime import datetime
from math import log
from zoneinfo import ZoneInfo

POSTAL = {"Arizona": "AZ", "California": "CA", "Colorado": "CO", "Florida": "FL", "Hawaii": "HI", "Illinois": "IL"}
POSTAL |= {"Massachusetts": "MA", "New York": "NY", "Ohio": "OH", "Pennsylvania": "PA", "Texas": "TX"}
POSTAL |= {"Washington": "WA"}
NOISE = set("a an and are be can do does for i in is it me of on or that the there to what which who with".split())


def words(text):
    """Lower-case words, cut to their first letters so that "clinicians" is "clinician", without the little ones."""
    return {word[:6] for word in re.findall(r"[a-z]+", text.lower()) if word not in NOISE}


class Told(Exception):
    """A tool said that something is wrong; its sentence is for the person."""


class Agent:
    def __init__(self, ask):
        self._ask = ask
        self.calls = self.bytes = 0
        self.route = []
        # What a client is shown before it can do anything; paid for once in a conversation.
        shown = ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}})
        listed = ask("tools/list", {})
        self.texts = shown["result"]["instructions"]
        self.tools = {tool["name"]: tool for tool in listed["result"]["tools"]}
        self.sources = {name: self._sources(tool) for name, tool in self.tools.items()}

    def _sources(self, tool):
        """For each argument: the tool that gives its values, and the field they stand in, as the texts say."""
        found = {}
        properties = tool["inputSchema"]["properties"]
        for same in re.findall(r"filters are those of (\w+)", tool["description"]):
            found |= {name: source for name, source in self._sources(self.tools[same]).items() if name in properties}
        for sentence in re.split(r"(?<=[.;:,])\s+", tool["description"]):
            quoted = re.findall(r"`(\w+)`", sentence)
            givers = [name for name in self.tools if name in sentence and name != tool["name"]]
            if quoted and quoted[0] in properties and givers:
                fields = [word for word in quoted[1:] if word != quoted[0]]
                found[quoted[0]] = (givers[0], fields[0] if fields else quoted[0])
        return found

    def choose(self, goal):
        """The tool whose "Use this when" shares the rarest words with the goal."""
        documents = {name: self._read(tool) for name, tool in self.tools.items()}
        wanted = words(goal)

        def weight(word):
            return log(1 + len(documents) / sum(word in document for document in documents.values()))

        def score(name):
            return sum(weight(word) for word in wanted & documents[name])

        return max(documents, key=score)

    @staticmethod
    def _read(tool):
        return words(f"{tool['title']} {tool['description'].split('. ')[0]}")

    def call(self, name, arguments):
        message = {"name": name, "arguments": arguments}
        result = self._ask("tools/call", message)["result"]
        text = result["content"][0]["text"]
        self.calls += 1
        self.bytes += len(str(message)) + len(text.encode())
        self.route.append(name)
        if result["isError"]:
            raise Told(text)
        return result["structuredContent"]

    def arguments(self, name, facts, widest=False):
        """What the schema can take of the facts; what a fact names in words is looked up where the texts say."""
        given = {}
        for argument, schema in self.tools[name]["inputSchema"]["properties"].items():
            told = schema["description"].lower()
            if "state" in facts and told.startswith("us state"):
                given[argument] = facts["state"]
            elif "enum" in schema:
                squeezed = {re.sub(r"\W", "", str(fact)).lower() for fact in facts.values()}
                given |= {argument: word for word in schema["enum"] if word and word.lower() in squeezed}
            elif argument in self.sources[name]:
                value = self._look_up(argument, name, facts)
                given |= {argument: value} if value is not None else {}
            elif {"boolean", "string"} & set(schema["type"] if isinstance(schema["type"], list) else [schema["type"]]):
                value = self._described(schema["description"], facts)
                given |= {argument: value} if value is not None else {}
            elif widest and "maximum" in schema:
                given[argument] = schema["maximum"]
        return given

    @staticmethod
    def _described(description, facts):
        """The fact whose role the first sentence of a description names; what is only looked up is not among them."""
        described = words(description.split(". ")[0])
        named = [fact for role, fact in facts.items() if role.startswith("as ") and words(role[3:]) <= described]
        return named[0] if named else None

    def _look_up(self, argument, name, facts):
        giver, field = self.sources[name][argument]
        # A fact is looked up where its role is spoken of.
        spoken = words(f"{self.tools[giver]['title']} {argument}")
        for role, fact in facts.items():
            if role == "state" or not words(role) & spoken:
                continue
            if field in facts:
                return facts[field]
            scope = {"state": facts["state"]} if "state" in facts else {}
            answer = self.call(giver, self.arguments(giver, scope, widest=True))
            (entries,) = [value for value in answer.values() if isinstance(value, list)]
            for entry in entries:
                if isinstance(entry, str) and entry.lower() == fact.lower():
                    return entry
                if isinstance(entry, dict) and fact in entry.values():
                    return entry[field]
            raise Told(f"{fact} is not listed")
        return None

    def ask(self, goal, facts, widest=False):
        """The answer of the tool that fits the goal, with whatever had to be asked before it."""
        name = self.choose(goal)
        return self.call(name, self.arguments(name, facts, widest))

    def takes_new_patients(self, clinician, state):
        """The field to look at is the one that the description of the search names."""
        (field,) = re.findall(r"(\w+) in a result says where new patients are accepted", self.said())
        return POSTAL[state] in clinician[field]

    def said(self):
        return " ".join(tool["description"] for tool in self.tools.values())


def local(instant, zone):
    return datetime.fromisoformat(instant.replace("Z", "+00:00")).astimezone(ZoneInfo(zone))


def as_said(instant):
    """An instant as the answers write it."""
    return instant.astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%dT%H:%M:%SZ")


def mornings(slots, zone, weekday):
    """The local starts on that weekday before noon."""
    starts = [local(slot["startTime"], zone) for slot in slots]
    return [start for start in starts if start.weekday() == weekday and start.hour < 12]
