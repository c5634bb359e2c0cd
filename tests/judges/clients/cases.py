"""What every client must see: calls with REST's bodies, and mistakes with what must be said about them."""

import subprocess

from frame import ROOT

# A tool with its arguments, and the path that asks the same over REST.
CALLS = [
    ("list_states", {}, "/v1/states"),
    ("list_insurances", {"state": "CA"}, "/v1/insurances?state=CA"),
    ("search_providers", {"state": "texas", "limit": 3}, "/v1/providers?state=texas&limit=3"),
    ("get_provider", {"slug": "amara-okonkwo"}, "/v1/providers/amara-okonkwo"),
    ("list_appointment_types", {}, "/v1/appointment-types"),
    ("check_availability", {"state": "CA", "limit": 50}, "/v1/availability?state=CA&limit=50"),
]

# Each kind of mistake once. The sentences are those of the contract.
MISTAKES = [
    ("slug", "get_provider", {"slug": "nobody"}, ["No clinician is listed as “nobody”. Search by state to find one."]),
    (
        "state",
        "check_availability",
        {"state": "XX"},
        ["I don't recognize the state “XX”. Please give a US state name or two-letter code."],
    ),
    ("plan", "search_providers", {"insurance": "No Such Plan"}, ["No Such Plan isn't accepted here", "Accepted plans: "]),
    ("missing", "check_availability", {}, ["Which US state"]),
    ("unknown", "search_providers", {"color": "red"}, ["“color”"]),
    ("type", "search_providers", {"limit": "many"}, ["number of clinicians to show", "whole number"]),
]

VIEW = "ui://nameplate/directory.html"


def collect(stage):
    printed = subprocess.run([stage.binary, "view"], cwd=ROOT, capture_output=True, check=True, timeout=60)
    return {
        "view": {"uri": VIEW, "text": printed.stdout.decode(), "type": "text/html;profile=mcp-app"},
        "url": f"{stage.url}/api/mcp",
        "calls": [
            {"tool": tool, "arguments": arguments, "body": stage.get(target).decode()}
            for tool, arguments, target in CALLS
        ],
        "mistakes": [
            {"kind": kind, "tool": tool, "arguments": arguments, "says": says}
            for kind, tool, arguments, says in MISTAKES
        ],
    }
