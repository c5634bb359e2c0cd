"""The OpenAI Agents SDK with strict schemas: `python_openai.py CASES`.

In strict mode a model must give every argument, so it gives null for what it leaves out.
"""

import asyncio
import json
import sys

from agents.mcp import MCPServerStreamableHttp, MCPUtil
from asked import must
from jsonschema import Draft202012Validator


def objects(schema):
    """Every schema of an object within a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else []:
        yield from objects(part)


def strict(tool, server):
    """The schema that the SDK sends to a model."""
    function = MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True)
    schema = function.params_json_schema
    must(function.strict_json_schema, f"{tool.name}: the SDK could not make its schema strict")
    Draft202012Validator.check_schema(schema)
    for one in objects(schema):
        must(one["additionalProperties"] is False, f"{tool.name} allows other arguments")
        must(sorted(one["required"]) == sorted(one["properties"]), f"{tool.name} does not require everything")
    for name, argument in schema["properties"].items():
        must("default" not in argument, f"{tool.name}: {name} has a default")
    return schema


async def main(path):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)
    nulls = 0
    async with MCPServerStreamableHttp({"url": cases["url"]}, client_session_timeout_seconds=20) as server:
        schemas = {tool.name: strict(tool, server) for tool in await server.list_tools()}
        must(sorted(schemas) == sorted(case["tool"] for case in cases["calls"]), f"other tools: {sorted(schemas)}")
        for case in cases["calls"]:
            schema = schemas[case["tool"]]
            given = dict.fromkeys(schema["properties"]) | case["arguments"]
            nulls += len(given) - len(case["arguments"])
            Draft202012Validator(schema).validate(given)
            result = await server.call_tool(case["tool"], given)
            must(not result.is_error, f"{case['tool']} is an error: {result.content[0].text}")
            must(result.content[0].text == case["body"], f"{case['tool']} with nulls differs from REST")
    print(f"{len(schemas)} strict schemas, {len(cases['calls'])} calls with {nulls} nulls equal REST")


asyncio.run(main(sys.argv[1]))
