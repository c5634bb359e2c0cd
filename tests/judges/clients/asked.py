"""What both Python clients do with the cases. `call` gives (text, structured content, whether it is an error), and
`contents_of` the contents of a resource."""

import json


class Wrong(Exception):
    """What the judge found."""


def must(holds, what):
    if not holds:
        raise Wrong(what)


async def ask(cases, list_tools, call, code_of_unknown_tool, contents_of):
    names = sorted(tool.name for tool in await list_tools())
    must(names == sorted(case["tool"] for case in cases["calls"]), f"other tools: {names}")
    for case in cases["calls"]:
        text, structured, is_error = await call(case["tool"], case["arguments"])
        must(not is_error, f"{case['tool']} is an error: {text}")
        must(text == case["body"], f"{case['tool']} differs from REST")
        must(structured == json.loads(case["body"]), f"{case['tool']}: structured content differs")
    for case in cases["mistakes"]:
        text, structured, is_error = await call(case["tool"], case["arguments"])
        must(is_error and structured is None, f"{case['kind']} is not an error")
        must(all(part in text for part in case["says"]), f"{case['kind']}: {text}")
    code = await code_of_unknown_tool()
    must(code == -32602, f"an unknown tool is {code}")
    view = cases["view"]
    (contents,) = await contents_of(view["uri"])
    must(contents.mime_type == view["type"], f"the view is {contents.mime_type}")
    must(contents.text == view["text"], "the view differs from what `nameplate view` prints")
    return f"{len(names)} tools, {len(cases['calls'])} calls equal REST, {len(cases['mistakes']) + 1} mistakes, the view"
