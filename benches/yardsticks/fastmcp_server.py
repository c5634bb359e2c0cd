"""The same six tools on FastMCP, stateless: `fastmcp_server.py FOLDER PORT`. The answers are read once."""

import json
import sys
from pathlib import Path

from fastmcp import FastMCP

folder, port = Path(sys.argv[1]), int(sys.argv[2])
answers = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
server = FastMCP("yardstick")


@server.tool
def list_states() -> dict:
    """The states."""
    return answers["list_states"]


@server.tool
def list_insurances(state: str | None = None) -> dict:
    """The plans."""
    return answers["list_insurances"]


@server.tool
def search_providers(
    state: str | None = None,
    insurance: str | None = None,
    providerType: str | None = None,
    gender: str | None = None,
    limit: int = 10,
    offset: int = 0,
) -> dict:
    """The clinicians."""
    return answers["search_providers"]


@server.tool
def get_provider(slug: str) -> dict:
    """One clinician."""
    return answers["get_provider"]


@server.tool
def list_appointment_types(state: str | None = None) -> dict:
    """The visit types."""
    return answers["list_appointment_types"]


@server.tool
def check_availability(
    state: str, appointmentType: int | None = None, provider: str | None = None, horizonDays: int = 14, limit: int = 50
) -> dict:
    """The slots."""
    return answers["check_availability"]


server.run(
    transport="http", host="127.0.0.1", port=port, path="/api/mcp", stateless_http=True, log_level="critical",
    show_banner=False,
)
