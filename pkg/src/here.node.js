// Where a CommonJS module lies, which has no `import.meta`.
import { pathToFileURL } from "node:url";

export const here = pathToFileURL(__filename);
