// Bundles the tests once for both runtimes, since loading some hundred modules takes longer than most
// tests do.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build as bundle } from "esbuild";
import { run } from "./run-group.mjs";

/** The command line, which is bundled as it is shipped: the tests start it some hundred times. */
const MAIN = "src/cli/main.ts";

/**
 * Bundle programs of tests, and what any test runs or loads by its address.
 *
 * @param programs The test files of each program, by its name.
 * @returns {Promise<string | undefined>} The directory that holds each program as `test/NAME.js`, and
 * all else at its path in the project, which goes with this process; `undefined` where it cannot be
 * bundled.
 */
export async function compileTests(cwd, programs, limitMs) {
  const build = join(cwd, "node_modules/.cache", `shellflow-test-${process.pid}`);
  process.once("exit", () => rmSync(build, { recursive: true, force: true }));
  mkdirSync(build, { recursive: true });
  const shipped = run(process.execPath, [
    ".ci/build.mjs",
    join(build, "src/cli/dist"),
    "--no-types",
  ], { cwd, limitMs });
  await Promise.all([bundlePrograms(cwd, build, programs), bundleRxjs(cwd, build)]);
  if ((await shipped).code !== 0) return undefined;
  copyFileSync(join(cwd, "package.json"), join(build, "package.json"));
  for (const folder of ["src", "test"]) copyData(join(cwd, folder), join(build, folder));
  writeFileSync(join(build, MAIN.replace(/\.ts$/, ".js")), 'import "./dist/cli.js";\n');
  return build;
}

async function bundlePrograms(cwd, build, programs) {
  const entries = addressed(cwd).map((path) => [path.replace(/\.ts$/, ""), path]);
  for (const [name, files] of Object.entries(programs)) {
    const path = join(build, `${name}.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      files.map((file) => `import ${JSON.stringify(join(cwd, file))};\n`).join(""),
    );
    entries.push([`test/${name}`, path]);
  }
  await bundle({
    absWorkingDir: cwd,
    entryPoints: Object.fromEntries(entries),
    outdir: build,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    // "sideEffects" of the package is about its own files.
    ignoreAnnotations: true,
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "error",
    plugins: [{ name: "addresses", setup: ({ onLoad }) => keepAddresses(onLoad, cwd, build) }],
  });
}

/** The files that tests name by their address, to run or to load them. */
function addressed(cwd) {
  const folder = join(cwd, "test");
  const found = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/new URL\(\s*"([^"]+\.ts)",\s*import\.meta\.url/g)]
        .map(([, specifier]) => fileURLToPath(new URL(specifier, pathToFileURL(path))))
    );
  return [...new Set(found)].map((path) => relative(cwd, path)).filter((path) => path !== MAIN);
}

/** Each module keeps the address that it would have by itself, beside the data that it reads. */
function keepAddresses(onLoad, cwd, build) {
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, "utf8");
    if (!text.includes("import.meta.url")) return undefined;
    const address = pathToFileURL(join(build, relative(cwd, path).replace(/\.ts$/, ".js")));
    return { loader: "ts", contents: text.replaceAll("import.meta.url", `"${address.href}"`) };
  });
}

/** In place of some two hundred files. It stays one module, also between a program and what it loads. */
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
