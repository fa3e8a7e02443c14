// Makes wasm modules smaller.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
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
export async function optimise(from, to, cache) {
  const made = createHash("sha256").update(await readFile(from)).update([...FEATURES, ...PASSES].join()).digest("hex").slice(0, 16);
  const optimised = join(cache, `${basename(to, ".wasm")}.${made}.wasm`);
  if (!existsSync(optimised)) {
    console.log(`· optimising ${basename(to)}`);
    const script = fileURLToPath(new URL("node_modules/binaryen/bin/wasm-opt", import.meta.url));
    const args = [script, from, ...PASSES, ...FEATURES, "-o", optimised];
    execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  }
  await copyFile(optimised, to);
}
