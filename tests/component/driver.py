"""The component in wasmtime, driven by lines of JSON: each says what to do, and is answered with what came of it.

Call: `python driver.py COMPONENT WASMTIME EXAMPLE [MEMORY]`. Each name is one of the class `AskUser`, or of what was opened last."""

import json
import sys

sys.path.insert(0, sys.argv[2])
sys.path.insert(0, sys.argv[3])

from ask_user import AskUser, RefusalError, RejectionError, UnexpectedEventError, UnresumableError  # noqa: E402

component = AskUser(sys.argv[1], *map(int, sys.argv[4:5]))
# What was opened last. In `kept`, what is not freed.
walk = reader = conversation = None
kept = []


def opened(name, *arguments):
    global walk, reader
    if name == "stream":
        dialect, options = arguments
        reader = component.stream(dialect, **options)
        walk = reader.walk
    elif name == "continued":
        walk = walk.continued(*arguments)
    elif name == "resume":
        request, saved, dialect, options, secrets = arguments
        walk = component.resume(request, saved, dialect, secrets, **options)
    else:
        request, dialect, options = arguments
        walk = component.open(request, dialect, **options)
    return walk.form


def do(name, *arguments):
    global conversation
    if name in ("open", "resume", "stream", "continued"):
        return opened(name, *arguments)
    if name in ("write", "end"):
        return getattr(reader, name)(*arguments)
    if name == "keep":
        return kept.append(walk)
    if name in ("conversation", "stored_conversation"):
        conversation = getattr(component, name)(*arguments)
        return conversation.save()
    if name in ("on", "stored", "state", "notice"):
        value = getattr(conversation, "save" if name == "stored" else name)
    elif name in ("permission", "detect_dialect"):
        return getattr(component, name)(*arguments[:-1], **arguments[-1])
    else:
        value = getattr(walk if hasattr(walk, name) else component, name)
    return value(*arguments) if callable(value) else value


for line in sys.stdin:
    try:
        said = {"ok": do(*json.loads(line))}
    except RejectionError as error:
        said = {"rejected": error.tool_result["problems"]}
    except UnexpectedEventError as error:
        said = {"unexpected": {"code": error.code, "message": str(error), "call_id": error.call_id}}
    except (RefusalError, UnresumableError) as error:
        said = {"refused": {"code": error.code, "message": str(error), "details": getattr(error, "details", None)}}
    except ValueError as error:
        said = {"misuse": str(error)}
    except Exception as error:
        said = {"trap": str(error)}
    print(json.dumps(said), flush=True)
