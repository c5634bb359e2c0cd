"""FastMCP as a client: `python_fastmcp.py CASES`."""

import asyncio
import json
import sys

from asked import ask
from fastmcp import Client
from mcp import MCPError


async def main(path):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)
    async with Client(cases["url"], timeout=20) as client:

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments, raise_on_error=False)
            return result.content[0].text, result.structured_content, result.is_error

        async def code_of_unknown_tool():
            try:
                await client.call_tool("book_visit", {})
            except MCPError as error:
                return error.error.code
            return None

        print(await ask(cases, client.list_tools, call, code_of_unknown_tool, client.read_resource))


asyncio.run(main(sys.argv[1]))
