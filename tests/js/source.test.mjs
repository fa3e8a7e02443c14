// The places of a JSON text (pkg/src/json/source.js): random changes of random texts against the values that they stand for; what is not changed stays as it is written.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pretty, Source } from "../../pkg/src/json/source.js";
import { Dice } from "./dice.mjs";

const { applyEdits, modify } = createRequire(new URL("../../pkg/package.json", import.meta.url))("jsonc-parser");

const RAW = ["0", "-0", "1.10", "123456789012345678901234567890", "1E400", "true", "false", "null", '""', '"a\\u0041\\"\\\\"', '"{[,:]}"', '"\\ud800"', '"é😀"', "{}", "[]"];
const KEYS = ["a", "b", "", "__proto__", "constructor", "0", "a/b~c", "é\"\\", "{", "length"];

/** A random value as JSON text, with random white space. */
function written(dice, depth = 0) {
  const space = () => dice.pick(["", "", " ", "\n  ", "\t", "\r\n"]);
  const kind = depth > 3 ? 0 : dice.below(3);
  if (kind === 0) return dice.pick(RAW);
  const parts = Array.from({ length: dice.below(5) }, () => written(dice, depth + 1));
  if (kind === 1) return `[${space()}${parts.join(`${space()},${space()}`)}${space()}]`;
  const names = dice.shuffle(KEYS).slice(0, parts.length);
  return `{${space()}${parts.map((part, place) => `${JSON.stringify(names[place])}${space()}:${space()}${part}`).join(`${space()},${space()}`)}${space()}}`;
}

/** Everything that a source knows, read anew or as it has come to be. */
const dump = (source, node = source.root) =>
  node && { raw: source.raw(node), kind: node.kind, key: node.keyAt === undefined ? undefined : [node.name, source.key(node)], parts: source.parts(node).map((part) => dump(source, part)) };

/** The tokens of a JSON text without white space: what is compared where only the layout may differ. */
const compact = (text) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string) => string ?? "");

/** A tree of raw texts that is changed in the plain way. */
const model = (source, node = source.root) => {
  if (!node) return undefined;
  if (node.kind === "object") return new Map(source.parts(node).map((part) => [part.name, model(source, part)]));
  if (node.kind === "array") return source.parts(node).map((part) => model(source, part));
  return source.raw(node);
};
const raw = (value) => {
  if (value === undefined) return "";
  if (value instanceof Map) return `{${[...value].map(([name, inner]) => `${JSON.stringify(name)}:${raw(inner)}`).join(",")}}`;
  return Array.isArray(value) ? `[${value.map(raw).join(",")}]` : value;
};
const places = (value, path = []) => {
  const inner = value instanceof Map ? [...value] : Array.isArray(value) ? value.map((item, place) => [place, item]) : [];
  return [{ path, value }, ...inner.flatMap(([part, item]) => places(item, [...path, part]))];
};
const at = (value, path) => path.reduce((inner, part) => (inner instanceof Map ? inner.get(part) : inner[part]), value);

test("after any changes every place is known as if the text were read anew, and says what it should", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const dice = new Dice(seed);
    const source = new Source(dice.pick(["", " ", "\n"]) + written(dice) + dice.pick(["", "\n"]));
    const expected = { root: model(source) };
    for (let step = 0; step < 25; step += 1) {
      const { path, value } = dice.pick(places(expected.root));
      const before = source.text;
      let change;
      const parent = path.length ? at(expected.root, path.slice(0, -1)) : undefined;
      const last = path.at(-1);
      const kind = dice.below(7);
      const put = (path, value) => {
        const holder = path.length ? at(expected.root, path.slice(0, -1)) : undefined;
        if (!holder) expected.root = value;
        else if (holder instanceof Map) holder.set(path.at(-1), value);
        else holder[path.at(-1)] = value;
      };
      if (kind <= 1) {
        const text = dice.pick(RAW);
        change = source.set(path, text);
        put(path, model(new Source(text)));
      } else if (kind === 2 && value instanceof Map) {
        const name = dice.pick(KEYS);
        const isNew = !value.has(name);
        change = source.set([...path, name], "7", [...value.keys()].slice(0, dice.below(3)));
        if (isNew) put(path, new Map(source.parts(source.find(path)).map((part) => [part.name, part.name === name ? "7" : value.get(part.name)])));
        else value.set(name, "7");
      } else if (kind === 3 && Array.isArray(value)) {
        const place = dice.below(value.length + 1);
        change = source.insert(path, place, '{"n":[1.50]}');
        value.splice(place, 0, new Map([["n", ["1.50"]]]));
      } else if (kind === 4 && parent) {
        const seat = parent instanceof Map && source.seat(path);
        change = source.remove(path);
        if (seat && dice.below(2)) {
          // It is put back where it was, and the text is as it was.
          assert.equal(applied(before, change), source.text);
          const text = raw(value);
          const back = source.restore(path, seat, before.slice(...span(before, path)));
          assert.equal(source.text, before, `seed ${seed}: ${text}`);
          assert.ok(back);
          continue;
        }
        if (parent instanceof Map) parent.delete(last);
        else parent.splice(last, 1);
      } else if (kind === 5 && parent instanceof Map) {
        const name = dice.pick(KEYS.filter((name) => !parent.has(name)));
        change = source.rename(path, name);
        put(path.slice(0, -1), new Map([...parent].map(([key, inner]) => [key === last ? name : key, inner])));
      } else if (kind === 6 && Array.isArray(parent) && last + 1 < parent.length) {
        change = source.swap(path.slice(0, -1), last);
        [parent[last], parent[last + 1]] = [parent[last + 1], parent[last]];
      } else continue;
      assert.equal(applied(before, change), source.text, `seed ${seed}`);
      assert.equal(compact(source.text), compact(raw(expected.root)), `seed ${seed}`);
      assert.deepEqual(dump(source), dump(new Source(source.text)), `seed ${seed}`);
      if (!source.text.trim()) break;
    }
  }
});

const applied = (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to);
const span = (text, path) => {
  const source = new Source(text);
  const node = source.find(path);
  return [source.from(node), source.to(node)];
};

test("a change gives the value that jsonc-parser's change gives; where a value is written over another, the same text", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const dice = new Dice(seed);
    const text = written(dice);
    const { path, value } = dice.pick(places(model(new Source(text))));
    const source = new Source(text);
    const kind = dice.below(3);
    if (kind === 0) {
      source.set(path, '"new"');
      assert.equal(source.text, applyEdits(text, modify(text, path, "new", {})), `seed ${seed}`);
      continue;
    }
    let inner = [...path];
    let change;
    const list = path.length ? at(model(new Source(text)), path.slice(0, -1)) : undefined;
    // The last item is left to the test below.
    if (kind === 1 && list && !(Array.isArray(list) && path.at(-1) === list.length - 1)) change = [source.remove(path), undefined];
    else if (value instanceof Map) {
      inner.push(dice.pick(KEYS.filter((name) => !value.has(name))));
      change = [source.set(inner, '"new"'), "new"];
    } else if (Array.isArray(value)) {
      inner.push(value.length);
      change = [source.insert(path, value.length, '"new"'), "new"];
    } else continue;
    const theirs = applyEdits(text, modify(text, inner, change[1], {}));
    assert.deepEqual(JSON.parse(source.text), JSON.parse(theirs), `seed ${seed}`);
    // What stands before and after the change is what stood there.
    const { from, to, insert } = change[0];
    assert.equal(source.text, text.slice(0, from) + insert + text.slice(to), `seed ${seed}`);
    assert.equal(compact(source.text), compact(theirs), `seed ${seed}`);
  }
});

test("the last item is taken out of a list, where jsonc-parser makes one number of two", () => {
  const source = new Source("[1,2]");
  source.remove([1]);
  assert.equal(source.text, "[1]");
  assert.equal(applyEdits("[1,2]", modify("[1,2]", [1], undefined, {})), "[12]");
});

test("a new member and a new item are written like those beside them", () => {
  for (const [text, path, value, expected, before] of /** @type {any[][]} */ ([
    ["", [], "1", "1"],
    ["", ["a", 0, "b"], '"x"', '{\n  "a": [\n    {\n      "b": "x"\n    }\n  ]\n}'],
    ["{}", ["a"], "1", '{\n  "a": 1\n}'],
    ['{ "a": 1 }', ["b"], "2", '{ "a": 1, "b": 2 }'],
    ['{"a":1}', ["b"], '{"c":[]}', '{"a":1,"b":{"c":[]}}'],
    ['{"a":1,"c":3}', ["b"], "2", '{"a":1,"b":2,"c":3}', ["a"]],
    ['{"a":1,"c":3}', ["d"], "4", '{"a":1,"c":3,"d":4}', ["b", "c"]],
    ['{ "a": 1, "c": 3 }', ["b"], "2", '{ "b": 2, "a": 1, "c": 3 }', ["x"]],
    ['{\n\t"a": 1\n}\n', ["b"], '{"c":1}', '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 1\n\t}\n}\n'],
    ['{\n    "a": {}\n}', ["a", "b"], "[1,2]", '{\n    "a": {\n        "b": [\n            1,\n            2\n        ]\n    }\n}'],
    ["[1, 2]", [2], "3", "[1, 2, 3]"],
    ["[\n  1\n]", [1], "3", "[\n  1,\n  3\n]"],
    ['{"a": {}}', ["a", "b"], "1", '{"a": {"b": 1}}'],
    ['{"a": 1}', ["a", "b"], "2", '{"a": {"b": 2}}'],
  ])) {
    const source = new Source(text);
    source.set(path, value, before);
    assert.equal(source.text, expected);
  }
});

test("what is taken out leaves what is beside it as it was", () => {
  for (const [text, path, expected] of /** @type {any[][]} */ ([
    ['{ "a": 1,  "b": 2 , "c": 3 }', ["b"], '{ "a": 1,  "c": 3 }'],
    ['{ "a": 1,  "b": 2 }', ["b"], '{ "a": 1 }'],
    ['{\n  "a": 1,\n  "b": 2\n}', ["a"], '{\n  "b": 2\n}'],
    ['{\n  "a": 1\n}', ["a"], "{}"],
    ["[1, [2], 3]", [1], "[1, 3]"],
    [" 1 ", [], ""],
  ])) {
    const source = new Source(text);
    source.remove(path);
    assert.equal(source.text, expected);
  }
});

test("of a key that is there twice, the last counts; a path that leads nowhere finds nothing", () => {
  const source = new Source('{"a": 1, "a": {"b": [10, 20]}}');
  assert.equal(source.raw(source.find(["a", "b", 1])), "20");
  assert.equal(source.raw(source.find(["a", "b", "1"])), "20");
  for (const path of [["x"], ["a", "b", 2], ["a", "b", "01"], ["a", "b", "length"], ["a", "b", 1, "x"], ["toString"]]) assert.equal(source.find(path), undefined);
  source.set(["a"], "3");
  assert.equal(source.text, '{"a": 1, "a": 3}');
});

test("a position leads to the innermost value around it", () => {
  const source = new Source('{"a": {"b": [10, "xy"]}, "c": 1}');
  for (const [sign, path] of /** @type {any[][]} */ ([["10", ["a", "b", 0]], ["xy", ["a", "b", 1]], ["b\"", ["a", "b"]], ["1}", ["c"]], ["{\"a\"", []]])) assert.deepEqual(source.pathAt(source.text.indexOf(sign)), path, sign);
});

test("a text is written on several lines with every digit and every key", () => {
  assert.equal(pretty('{"a":1.10,"a":[{},[]],"b":{"c":1e400}}'), '{\n  "a": 1.10,\n  "a": [\n    {},\n    []\n  ],\n  "b": {\n    "c": 1e400\n  }\n}');
  assert.equal(pretty(" "), " ");
});

test("a text that is nested deeply is read without a stack", () => {
  const source = new Source("[".repeat(100_000) + "]".repeat(100_000));
  assert.equal(source.root.size, 200_000);
  assert.equal(source.parts(source.root).length, 1);
});
