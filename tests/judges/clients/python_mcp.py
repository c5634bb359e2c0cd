"""The official Python SDK as a client: `python_mcp.py CASES auto|legacy`."""

import asyncio
import json
import sys

from asked import ask
from mcp import Client, MCPError


async def main(path, mode):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)
    async with Client(cases["url"], mode=mode, read_timeout_seconds=20) as client:

        async def list_tools():
            return (await client.list_tools()).tools

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments)
            return result.content[0].text, result.structured_content, result.is_error

        async def code_of_unknown_tool():
            try:
                await client.call_tool("book_visit", {})
            except MCPError as error:
                return error.error.code
            return None

        async def contents_of(uri):
            return (await client.read_resource(uri)).contents

        figure = await ask(cases, list_tools, call, code_of_unknown_tool, contents_of)
        print(f"{figure}; revision {client.protocol_version}")


asyncio.run(main(*sys.argv[1:]))
