// Makes the component of the module that cargo has built: `node build.mjs MODULE COMPONENT`. The optimiser is the package's; what makes a
// component of a module is `wasm-tools`, as jco brings it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { componentNew } from "@bytecodealliance/jco-transpile/wasm-tools";
import { optimise } from "../../pkg/optimise.mjs";

const [module, component] = process.argv.slice(2);
mkdirSync(dirname(component), { recursive: true });
const smaller = component.replace(/\.wasm$/, ".module.wasm");
await optimise(module, smaller, dirname(component));
writeFileSync(component, await componentNew(readFileSync(smaller)));
