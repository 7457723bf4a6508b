// Compiles sources and tests for Node once, so that no file and no program of a test is compiled
// when it is loaded.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { build as bundle } from "esbuild";
import { run } from "./run-group.mjs";

/**
 * @returns {Promise<string | undefined>} The directory that holds `src`, `test` and `bench` as
 * JavaScript, which goes with this process; `undefined` where they cannot be compiled.
 */
export async function compileTests(cwd, limitMs) {
  const build = join(cwd, "node_modules/.cache", `shellflow-test-${process.pid}`);
  process.once("exit", () => rmSync(build, { recursive: true, force: true }));
  const form = ["--noCheck", "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  const maps = ["--inlineSourceMap", "--sourceMap", "false"];
  const tsc = [join(cwd, "node_modules/typescript/bin/tsc"), "-p", "test", ...form, ...maps];
  const { code } = await run(process.execPath, [...tsc, "--outDir", build], { cwd, limitMs });
  if (code !== 0) return undefined;
  copyFileSync(join(cwd, "package.json"), join(build, "package.json"));
  for (const folder of ["src", "test"]) copyData(join(cwd, folder), join(build, folder));
  await bundleRxjs(cwd, build);
  return await bundleProgram(cwd, build, limitMs) ? build : undefined;
}

/** In place of some two hundred files, which each test file and each program of a test would load. */
async function bundleRxjs(cwd, build) {
  await bundle({
    absWorkingDir: cwd,
    entryPoints: { index: "rxjs", testing: "rxjs/testing" },
    outdir: join(build, "node_modules/rxjs"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    conditions: ["es2015"],
    logLevel: "error",
  });
  const exports = { ".": "./index.js", "./testing": "./testing.js" };
  const manifest = { name: "rxjs", type: "module", exports };
  writeFileSync(join(build, "node_modules/rxjs/package.json"), JSON.stringify(manifest));
}

/** The command line as it is shipped, since the tests start it some hundred times. */
async function bundleProgram(cwd, build, limitMs) {
  const args = [".ci/build.mjs", join(build, "src/cli/dist"), "--no-types"];
  const { code } = await run(process.execPath, args, { cwd, limitMs });
  writeFileSync(join(build, "src/cli/main.js"), 'import "./dist/cli.js";\n');
  return code === 0;
}

/** What the code reads at run time: samples, scripts of shells. */
function copyData(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.endsWith(".ts")) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const copy = join(to, path.slice(from.length));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(path, copy);
  }
}
