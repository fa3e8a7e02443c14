"""The component in wasmtime, driven by lines of JSON: each names what to do, and is answered with what came of it."""

import json
import sys

sys.path.insert(0, sys.argv[2])
sys.path.insert(0, sys.argv[3])

from ask_user import AskUser, RefusalError, RejectionError, UnresumableError  # noqa: E402

component = AskUser(sys.argv[1])
walk = None


def do(name, *arguments):
    global walk
    if name in ("open", "resume"):
        request, *saved, dialect, options = arguments
        walk = getattr(component, name)(request, *saved, dialect=dialect, **options)
        return walk.form
    if name in ("tool_definitions", "read_records"):
        return getattr(component, name)(*arguments)
    if name == "continued":
        walk = walk.continued(*arguments)
        return None
    value = getattr(walk, name)
    return value(*arguments) if callable(value) else value


for line in sys.stdin:
    try:
        said = {"ok": do(*json.loads(line))}
    except RejectionError as error:
        said = {"rejected": error.tool_result["problems"]}
    except (RefusalError, UnresumableError) as error:
        said = {"refused": {"code": error.code, "message": str(error), "details": getattr(error, "details", None)}}
    except ValueError as error:
        said = {"misuse": str(error)}
    print(json.dumps(said), flush=True)
