// What an edit in the fields does to the text: any valid value, edited in one place and edited back, is the text that it was.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Changes } from "../../pkg/src/fields/changes.js";
import { Model } from "../../pkg/src/fields/model.js";
import { partsOf } from "../../pkg/src/fields/pointer.js";
import { State } from "../../pkg/src/fields/state.js";
import { Document } from "../../pkg/src/json/document.js";
import { isLeaf } from "../../pkg/src/fields/leaf.js";
import { compiledGroups } from "./suite.mjs";

// A page, as far as a document needs one.
Object.assign(globalThis, { addEventListener() {}, removeEventListener() {}, ShadowRoot: class {} });
const area = (value) => /** @type {any} */ (Object.assign(new EventTarget(), { value, form: new EventTarget(), getRootNode: () => undefined }));
/** The same value, written in several ways. */
const WRITTEN = [(value) => JSON.stringify(value), (value) => JSON.stringify(value, undefined, 2), (value) => ` ${JSON.stringify(value, undefined, "\t").replaceAll(/(?<=[\]}\d"e]),\n/g, " ,\r\n")}\n`];
/** Edits of all places are tried of a value with few. */
const MOST = 30;

/** The fields with a control of their own, each with whether it is an item; and those that are not there, with the keys that they come after. */
function leaves(model, pointer = "", isItem = false) {
  const field = model.open(pointer, 0, 500);
  if (isLeaf(field) || field.kind === "options") return field.present ? [{ pointer, isItem }] : [];
  const children = field.children ?? [];
  const keys = children.filter(({ source }) => source === "properties").map(({ key }) => key);
  return children.flatMap((child) => {
    if (child.present) return leaves(model, child.pointer, field.kind === "array");
    return child.source === "properties" && isLeaf(child) ? [{ pointer: child.pointer, before: keys.slice(0, keys.indexOf(child.key)) }] : [];
  });
}

test("any valid value that is edited in one place and edited back is the same text", async () => {
  const faults = [];
  let tried = 0;
  for await (const { draft, file, group, compiled, tests } of compiledGroups()) {
    for (const { description, data } of tests) {
      if (compiled.check(JSON.stringify(data)) !== undefined) continue;
      for (const write of WRITTEN) {
        const text = write(data);
        const document = new Document(area(text));
        const state = new State();
        const model = new Model(compiled.fields(), document, state);
        const changes = new Changes(document, model, state);
        for (const { pointer, isItem, before } of leaves(model).slice(0, MOST)) {
          const path = pathOf(document.source, pointer);
          const there = document.source.find(path);
          const raw = there && document.source.raw(there);
          // Something else, and nothing: what was typed is taken out, or an item emptied.
          for (const other of ['"another"', undefined]) {
            if (other === undefined && path.length === 0) continue;
            const seat = raw !== undefined && other === undefined && !isItem ? document.source.seat(path) : undefined;
            changes.write(path, other, { isItem, before, isTyped: true });
            if (raw === undefined && other === undefined) continue;
            changes.write(path, raw, { seat, isItem, before, isTyped: true, isBack: raw !== undefined });
            tried += 1;
            if (document.text !== text) {
              faults.push({ draft, file, group, description, pointer, other, text, now: document.text });
              document.undo();
            }
          }
        }
        model.destroy();
        document.destroy();
      }
    }
  }
  assert.deepEqual(faults.slice(0, 5), []);
  assert.ok(tried > 10_000, `${tried} edits`);
});

/** The path of a pointer: places of items are numbers. */
function pathOf(source, pointer) {
  const path = [];
  for (const part of partsOf(pointer)) path.push(source.find(path)?.kind === "array" ? Number(part) : part);
  return path;
}
