// What the tests of this folder share: it passes cases to a parser and compares the refusals with those that are known; and it compiles values as a package's types.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cases } from "./cases.mjs";

const refusal = async (accept, entry) => {
  try {
    await accept(entry);
  } catch (error) {
    return String(error?.message ?? error).replace(/\s+/g, " ").slice(0, 400);
  }
};

// One test: the package takes the results (or sends the requests) of a dialect. `at least` keeps it from passing with nothing, `broken` is a case that must be refused,
// and `known` names the cases that the package refuses, each with the reason.
/**
 * @param {string} name
 * @param {{ dialect: string, part?: string, where?: (entry: any) => unknown, accept: (entry: any) => unknown, atLeast: number, broken: object, known?: { [entry: string]: string }, skip?: boolean | string }} given
 */
export const takes = (name, { dialect, part = "result", where = () => true, accept, atLeast, broken, known = {}, skip }) =>
  test(`${name} ${part === "result" ? "takes every result" : "sends every request"} of ${dialect}`, { skip }, async (t) => {
    const entries = cases.filter((entry) => entry.dialect === dialect && !entry.rejected && part in entry && where(entry));
    const refused = {};
    for (const entry of entries) {
      const message = await refusal(accept, entry);
      if (message !== undefined) refused[entry.name] = message;
    }
    const accepted = entries.length - Object.keys(refused).length;
    t.diagnostic(`${accepted} of ${entries.length} taken`);
    for (const [entry, reason] of Object.entries(known)) t.diagnostic(`known: ${entry}: ${reason}`);
    const unknown = Object.entries(refused).filter(([entry]) => !(entry in known));
    assert.deepEqual(unknown, [], "refused, and not known");
    assert.deepEqual(Object.keys(known).filter((entry) => !(entry in refused)), [], "known as refused, but taken");
    assert.ok(accepted >= atLeast, `only ${accepted} were taken, and ${atLeast} are the least`);
    assert.notEqual(await refusal(accept, { ...entries[0], ...broken }), undefined, "a broken one is refused");
  });

// An `accept` that compiles `const value: <type> = <the value>` in strict TypeScript, with its check for fields that the type does not have.
export const typed = async (importing, values) => {
  // The version that these packages are compiled with, which is an older one than that of the package.
  const ts = /** @type {any} */ (await import("typescript")).default;
  const file = fileURLToPath(new URL("./generated.ts", import.meta.url));
  const options = { noEmit: true, strict: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: ["node"] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  let previous;
  const compile = (statements) => {
    host.getSourceFile = (name, ...rest) =>
      name === file ? ts.createSourceFile(name, [importing, ...statements].join("\n"), ts.ScriptTarget.ES2022) : (kept[name] ??= read.call(host, name, ...rest));
    host.fileExists = (name) => name === file || ts.sys.fileExists(name);
    const program = ts.createProgram([file], options, host, previous);
    const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
    const syntax = program.getSyntacticDiagnostics(program.getSourceFile(file));
    previous = program;
    return [...syntax, ...problems];
  };
  const kept = {};
  const [wrong] = compile([]);
  if (wrong) throw new Error(ts.flattenDiagnosticMessageText(wrong.messageText, " "));
  return (entry) => {
    const [problem] = compile(values(entry).map(([type, value], at) => `export const value${at}: ${type} = ${JSON.stringify(value)};`));
    if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, " "));
  };
};
