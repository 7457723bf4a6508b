// Everything that is checked beside the tests: form, types under both compilers, examples, packages.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { denoEnv, denoFile } from "./deno.mjs";
import { run } from "./run-group.mjs";

const cwd = fileURLToPath(new URL("..", import.meta.url));
/** For all steps together. */
const LIMIT_MS = 5 * 60_000;
const deadline = performance.now() + LIMIT_MS;

const present = (...paths) => paths.filter((path) => existsSync(join(cwd, path)));
const code = present("src", "test", "bench");
const words = present("README.md", "src/README.md", "docs");
const deno = (...args) => [denoFile(cwd), args];
const tsc = (...args) => [process.execPath, ["node_modules/typescript/bin/tsc", ...args]];
const entries = present("src/mod.ts", "src/testing.ts");

/**
 * The longest first, so that both lanes end at about the same time. The types of everything are
 * checked once by Deno, and so are those of the examples.
 */
const STEPS = {
  "examples": deno("test", "-A", "--no-check", "--doc", "--permit-no-files", "src", ...words),
  "types, Deno": deno("check", "--doc", ...code, ...words),
  "format": deno("fmt", "--check", ...code, ".ci", "deno.json", "package.json", ...words),
  "lint": deno("lint", ...code),
  "embedded files": [process.execPath, [".ci/embed-files.mjs", "--check"]],
  "events page": [process.execPath, [".ci/event-docs.mjs", "--check"]],
  "types of src, TypeScript": tsc("-p", "src", "--noEmit"),
  "types of test, TypeScript": tsc("-p", "test", "--noEmit"),
  ...(entries.length === 2 && {
    "package for JSR": deno("publish", "--dry-run", "--no-check", "--allow-dirty"),
  }),
  "package for npm": ["npm", ["pack", "--dry-run", "--ignore-scripts", "--loglevel=error"]],
};

const broken = [];
const waiting = Object.entries(STEPS);

async function check(name, [file, args]) {
  const started = performance.now();
  const limitMs = Math.max(1, deadline - started);
  const { code, output } = await run(file, args, {
    cwd,
    limitMs,
    env: denoEnv(cwd),
    shown: () => false,
  });
  if (code !== 0) console.log(output);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 ? "holds" : "does not hold"} (${seconds} s)`);
  if (code !== 0) broken.push(name);
}

/** Most steps have work for one processor. */
async function lane() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await check(...step);
}

await Promise.all([lane(), lane()]);
console.log(
  broken.length === 0 ? "\nThe gate holds" : `\nThe gate does not hold: ${broken.join("; ")}`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
