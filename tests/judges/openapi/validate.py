"""Validates answers against the tools' output schemas, the published schemas and openapi.json: `validate.py FILE`."""

import json
import sys
from pathlib import Path

from jsonschema_rs import Draft202012Validator, meta

# The schema of each tool's answer, by the operationId that openapi.json gives it.
asked = json.loads(Path(sys.argv[1]).read_text())
tree = Path(asked["tree"])
document = json.loads((tree / "v1/openapi.json").read_text())


def validator(schema):
    meta.validate(schema)
    return Draft202012Validator(schema, validate_formats=True)


def in_document(tool):
    (operation,) = [path["get"] for path in document["paths"].values() if path["get"]["operationId"] == tool]
    content = operation["responses"]["200"]["content"]["application/json"]["schema"]
    name = content["$ref"].rpartition("/")[2]
    return name, {"$ref": f"#/components/schemas/{name}", "components": document["components"]}


validators = {}
for tool, output in asked["outputs"].items():
    name, schema = in_document(tool)
    published = json.loads((tree / f"v1/schemas/{name}.json").read_text())
    validators[tool] = [
        ("outputSchema", validator(output)),
        (f"{name}.json", validator(published)),
        ("openapi.json", Draft202012Validator(schema, validate_formats=True)),
    ]
for answer in asked["answers"]:
    for name, schema in validators[answer["tool"]]:
        for error in schema.iter_errors(answer["structured"]):
            sys.exit(f"{answer['tool']} {answer['arguments']} against {name}: {error.message[:200]}")
# A validator that refuses nothing would prove nothing.
for tool, kinds in validators.items():
    for name, schema in kinds:
        if schema.is_valid({}):
            sys.exit(f"{tool}: {name} takes an empty object")
print(f"{len(asked['answers'])} answers of {len(validators)} tools, each against 3 schemas")
