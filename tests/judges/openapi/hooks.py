"""What plain types cannot tell schemathesis about the API's parameters, each rule with its reason."""

import schemathesis

# A state, a plan and a language are plain text in the description: a pattern of all spellings and an enumeration of one
# clinic's plans generate badly. A pattern cannot say which days a month has, nor that a search has a letter or a digit.
# Only a list gives a cursor. Which texts are right is listed by other answers, and any other text is a documented 400. So
# a text is replaced by a right one; wrong ones are requested by the black-box tests.
RIGHT = {
    "state": ["CA", "texas", " New York ", "Washington, D.C.", "WY"],
    "insurance": ["Goldenrod PPO", "MANGROVE HMO"],
    "language": ["Spanish", "fr", "american sign language"],
    "from": ["2026-11-24T17:00:00Z", "2026-12-01T00:30:00Z", "2027-06-01T00:00:00Z"],
    "until": ["2027-07-01T00:00:00Z"],
    "timeZone": ["America/Phoenix", "america/new_york", "UTC"],
    "after": ["AQAAAABrBcKQHzpcfpCy1PYvOlx-kLLU9o86XH6QstT2PzpcfpCy1PY"],
    "q": ["menopause", "Dr. Okonkwo, MD", "woman doctor", "no one of this name"],
}


@schemathesis.hook
def map_query(context, query):
    if not query:
        return query
    return {name: right(name, value) for name, value in query.items()}


def right(name, value):
    choices = RIGHT.get(name)
    if choices is None or not isinstance(value, str) or value == "":
        return value
    return value if value in choices else choices[sum(value.encode(errors="replace")) % len(choices)]


# An optional parameter that is given empty counts as not given, whatever its type; the document's description says so.
@schemathesis.hook
def filter_query(context, query):
    return not any(is_empty(value) for value in (query or {}).values())


# A part of the day is one of a time zone: without one, it is a documented 400.
@schemathesis.hook
def map_case(context, case):
    if "part" in case.query and "timeZone" not in case.query:
        case.query["timeZone"] = "America/Phoenix"
    return case


def is_empty(value):
    return value in ("", None) or (isinstance(value, (list, dict)) and all(is_empty(one) for one in value))
