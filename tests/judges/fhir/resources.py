"""Each resource against PyPI fhir.resources: R4B's types, fields and formats. Usage: resources.py DOCKET"""

import json
import resource as limits
import sys
from pathlib import Path

from fhir.resources.R4B import get_fhir_model_class
from pydantic import ValidationError

MEMORY = 2 << 30


def wrong(resource):
    """What is wrong with it, or None. What is read and written again must say the same."""
    try:
        model = get_fhir_model_class(resource["resourceType"]).model_validate(resource)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    except (KeyError, TypeError, ValueError) as error:
        return repr(error)
    again = json.loads(model.model_dump_json())
    differing = [key for key in {**resource, **again} if resource.get(key) != again.get(key)]
    return f"written again it differs in {', '.join(sorted(differing))}" if differing else None


def main(path):
    limits.setrlimit(limits.RLIMIT_AS, (MEMORY, MEMORY))
    docket = json.loads(Path(path).read_text())
    found = [f"{place}: {what}" for place, one in docket["lines"] if (what := wrong(one))]
    refused = [name for name, one in docket["broken"] if wrong(one)]
    print(json.dumps({"found": found[:20], "count": len(found), "refused": refused}))


main(sys.argv[1])
