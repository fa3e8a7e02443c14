// What the compiler says of the types in the comments of all scripts: `node tests/types.mjs`. The scripts are in several projects, because some run in a page and
// some in Node, and the suites are checked less strictly.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** @type {(name: string) => string} */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
/** The compiler, which is a program of its own. */
const TSC = path("../pkg/node_modules/typescript/bin/tsc");

/** The projects of the package. */
const PACKAGE = readdirSync(path("../pkg")).filter((name) => /^tsconfig\.\w+\.json$/.test(name)).map((name) => `pkg/${name}`);
/** The projects of what uses the package. */
const USERS = readdirSync(path(".")).filter((name) => /^tsconfig(\.\w+)?\.json$/.test(name)).map((name) => `tests/${name}`);
export const PROJECTS = [...PACKAGE, ...USERS];

/**
 * What the compiler says of a project: nothing, if all is well.
 * @param {string} project
 */
export const checked = (project) => ran(project, []);

/**
 * The scripts of a project, and those that they import, as paths from the root.
 * @param {string} project
 */
export async function filesOf(project) {
  const listed = (await ran(project, ["--listFilesOnly"])).split("\n").filter((line) => /\.(jsx?|mjs|cjs)$/.test(line));
  return listed.map((file) => relative(path(".."), file).replace(/^pkg\/build\/checked-\w+\//, ""));
}

/**
 * @param {string} project
 * @param {string[]} options
 * @returns {Promise<string>}
 */
async function ran(project, options) {
  const root = USERS.includes(project) ? tree() : path("../");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [TSC, "-p", join(root, project), ...options], { cwd: root, maxBuffer: 2 ** 28 });
    return stdout;
  } catch (error) {
    return /** @type {{ stdout: string }} */ (error).stdout;
  } finally {
    if (root !== path("../")) rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Makes a tree that has the scripts of the project, and in place of what the build writes, its declarations (pkg/declared): tests and examples import that by its
 * path. Of packages, it has those of the package alone: others are installed on some machines, and are declared in tests/declared/packages.d.ts. Gives its place.
 */
function tree() {
  mkdirSync(path("../pkg/build"), { recursive: true });
  const root = `${realpathSync(mkdtempSync(path("../pkg/build/checked-")))}/`;
  /** @type {(from: string, to: string) => void} */
  const link = (from, to) => {
    mkdirSync(dirname(root + to), { recursive: true });
    symlinkSync(path(`../${from}`), root + to);
  };
  for (const name of scripts()) if (!name.startsWith("pkg/")) link(name, name);
  for (const name of readdirSync(path("../pkg"))) if (!["dist", "build"].includes(name)) link(`pkg/${name}`, `pkg/${name}`);
  link("pkg/node_modules", "node_modules");
  link("pkg/declared/dist", "pkg/dist");
  for (const name of readdirSync(path("../pkg/build"))) if (name.endsWith(".js")) link(`pkg/build/${name}`, `pkg/build/${name}`);
  for (const name of ["development", "published"]) link("pkg/declared/build", `pkg/build/${name}`);
  return root;
}

/** The scripts of the project, and their declarations and settings, as paths from the root. */
export function scripts() {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: path(".."), encoding: "utf8", maxBuffer: 2 ** 26 });
  return listed.split("\n").filter((name) => /\.(jsx?|mjs|cjs|tsx?|json)$/.test(name) && existsSync(path(`../${name}`)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const said = (await Promise.all(PROJECTS.map(checked))).join("");
  process.stdout.write(said);
  process.exitCode = said ? 1 : 0;
}
