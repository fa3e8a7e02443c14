// The validators of the benchmark, in a page: each takes a schema and a value as JSON text, as they come to a form.
import { Validator } from "@cfworker/json-schema";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import init, { compileSchema } from "../../pkg/build/published/validator/ask_user_validator.js";
import { cases } from "./schema-cases.mjs";

await init({ module_or_path: "/pkg/dist/validator.wasm" });

/** Each gives a function that says how many violations a text has. */
const VALIDATORS = {
  "ask-user"(schema) {
    const compiled = compileSchema(schema);
    const check = (text) => {
      const refusal = compiled.check(text);
      return refusal ? JSON.parse(refusal).details.length : 0;
    };
    return Object.assign(check, { free: () => compiled.free() });
  },
  Ajv(schema) {
    const ajv = new Ajv({ allErrors: true, strict: false });
    addFormats(ajv);
    const validate = ajv.compile(JSON.parse(schema));
    return (text) => (validate(JSON.parse(text)) ? 0 : validate.errors.length);
  },
  interpreter(schema) {
    const validator = new Validator(JSON.parse(schema), "2020-12", false);
    return (text) => validator.validate(JSON.parse(text)).errors.length;
  },
};

const CASES = cases();

/** The first validation of a case by a validator, in milliseconds; and whether the verdict was right. */
window.first = (name, validator) => {
  const { schema, valid } = CASES[name];
  const begun = performance.now();
  const violations = VALIDATORS[validator](schema)(valid);
  const taken = performance.now() - begun;
  if (violations) throw new Error(`${validator} finds ${violations} violations in ${name}`);
  return taken;
};

/** How long each validator may warm up, in milliseconds: the engine compiles again what is used often. */
const WARM = 1_000;

/** What something takes that has been done often, in milliseconds: the median of many, each long enough to be measured. */
function repeated(act, rounds) {
  let times = 1;
  const timed = () => {
    const begun = performance.now();
    for (let time = 0; time < times; time += 1) act();
    return (performance.now() - begun) / times;
  };
  for (const begun = performance.now(); performance.now() - begun < WARM; ) act();
  while (timed() * times < 5 && times < 100_000) times *= 2;
  const taken = Array.from({ length: rounds }, timed).sort((a, b) => a - b);
  return taken[Math.floor(taken.length / 2)];
}

/** What a first check by another schema takes, in milliseconds. It has a text of its own each time, as ours is compiled once for each text. */
window.anew = (name, validator, rounds) => {
  const { schema, valid } = CASES[name];
  let count = 0;
  return repeated(() => {
    const check = VALIDATORS[validator](`{"$comment":"${(count += 1)}",${schema.slice(1)}`);
    if (check(valid)) throw new Error(`${validator} is wrong about ${name}`);
    check.free?.();
  }, rounds);
};

/** What one more check of a case takes, in milliseconds. */
window.again = (name, validator, rounds) => {
  const { schema, valid, invalid } = CASES[name];
  const check = VALIDATORS[validator](schema);
  if (check(valid) || !check(invalid)) throw new Error(`${validator} is wrong about ${name}`);
  return repeated(() => check(valid), rounds);
};
window.ready = true;
