// Makes wasm modules smaller, and one of them a script.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { basename, join, parse } from "node:path";
import { fileURLToPath } from "node:url";

/** What Rust's wasm target takes for granted, and so may the optimiser. */
const FEATURES = [
  "--enable-bulk-memory",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
];

/** Smaller and smaller until nothing more is gained; the first kilobyte of memory is the far end of the stack, where no
 * address of ours can point, so that offsets can be folded into loads. Functions that are called alike are made
 * from one source and look alike: side by side they are packed better. */
const PASSES = ["-Oz", "--converge", "--low-memory-unused", "--reorder-functions-by-name", "--strip-debug", "--strip-producers"];

/** Optimises the module `from` into `to`, unless its bytes have been optimised before, and are in `cache`. */
export const optimise = (from, to, cache) =>
  made(from, to, cache, [...FEATURES, ...PASSES], (optimised) => {
    console.log(`· optimising ${basename(to)}`);
    tool("wasm-opt", from, ...PASSES, ...FEATURES, "-o", optimised);
  });

/** What has to be made into what a script has. */
const LOWERED = ["--llvm-nontrapping-fptoint-lowering", "--signext-lowering", "--llvm-memory-copy-fill-lowering", "--strip-target-features"];
/** What is left then. */
const SCRIPTED = ["--mvp-features", "--enable-mutable-globals"];

/** Makes the module `from` the script `to`, likewise. */
export const script = (from, to, cache) =>
  made(from, to, cache, [...FEATURES, ...LOWERED, ...PASSES, ...SCRIPTED, String(GROWS), GROWN], async (scripted) => {
    console.log(`· making the script ${basename(to)}`);
    const [lowered, plain] = [`${scripted}.wasm`, `${scripted}.js`];
    tool("wasm-opt", from, ...LOWERED, ...FEATURES, "-o", lowered);
    tool("wasm-opt", lowered, ...PASSES, ...SCRIPTED, "-o", lowered);
    tool("wasm2js", lowered, "-Oz", "--low-memory-unused", ...SCRIPTED, "-o", plain);
    const text = await readFile(plain, "utf8");
    if (!GROWS.test(text)) throw new Error("wasm2js grows a memory in another way than it did");
    await writeFile(scripted, text.replace(GROWS, GROWN));
  });

/** A memory that grows is moved, as in wasm: whoever still looks at what it was sees that it is no more. */
const GROWS = /new ArrayBuffer\((\w+) << 16\)(;\s*var (\w+) = new Int8Array\(\w+\);)\s*\3\.set\(HEAP8\);/;
const GROWN = "buffer.transfer($1 << 16)$2";

function tool(name, ...args) {
  const program = fileURLToPath(new URL(`node_modules/binaryen/bin/${name}`, import.meta.url));
  execFileSync(process.execPath, [program, ...args], { stdio: ["ignore", "ignore", "inherit"] });
}

/** Makes `to` of `from`, unless the same has been made of the same, and is in `cache`. */
async function made(from, to, cache, settings, make) {
  const hash = createHash("sha256").update(await readFile(from)).update(settings.join()).digest("hex").slice(0, 16);
  const kept = join(cache, `${parse(to).name}.${hash}${parse(to).ext}`);
  if (!existsSync(kept)) await make(kept);
  await copyFile(kept, to);
}
