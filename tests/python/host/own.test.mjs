// A host of one's own in Python: examples/own-host/host.py. PYTHON is the interpreter of an environment with the wheel, Starlette and uvicorn.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownHost } from "../../js/own-host.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const python = process.env.PYTHON ?? join(root, "target/python/tools", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");

ownHost("the host in Python", (port, data) => [python, join(root, "examples/own-host/host.py"), "--port", String(port), "--data", data, "--files", fileURLToPath(new URL("../../../pkg/dist", import.meta.url))]);
