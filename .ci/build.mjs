// Bundles the package: one file for each entry point and for each part that is loaded on demand,
// with the grammar and the licences of what is inside, and the types beside them.
//
//     node .ci/build.mjs [directory, "dist" when absent] [--no-types]
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const args = process.argv.slice(2);
const outdir = resolve(root, args.find((arg) => !arg.startsWith("--")) ?? "dist");

const ENTRIES = ["mod", "testing", "tools", "mcp", "acp", "inspector", "nats", "telemetry"];
/** Read at run time, from beside the file that needs them. */
const ASSETS = [
  "tree-sitter-bash/tree-sitter-bash.wasm",
  "web-tree-sitter/web-tree-sitter.wasm",
];

/** Deno has no setter __proto__: what is assigned there is lost, and each error of the host speaks of it. */
const prototypes = {
  name: "prototypes",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/immutable\/dist\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8")
        .replaceAll(/(\w+)\.__proto__ = (\w+);/g, "Object.setPrototypeOf($1, $2);"),
    })),
};

/**
 * What one file needs stays in one part, which the others share: each part costs as much to load as 30 kB
 * of text take to read. For that, all files that are loaded by themselves import it; esbuild leaves
 * these imports out again, as nothing is used of them. Files apart are loaded where it is not needed.
 */
const around = (core, apart = []) => ({
  name: "around",
  setup: ({ onLoad }) => {
    const path = join(root, core);
    const loaded = new Set([
      ...ENTRIES.map((name) => join(root, `src/${name}.ts`)),
      ...importedOnDemand(),
    ]);
    for (const file of [core, ...apart]) loaded.delete(join(root, file));
    onLoad(
      { filter: /\/src\/.*\.ts$/ },
      (args) =>
        !loaded.has(args.path) ? undefined : {
          loader: "ts",
          contents: `import ${JSON.stringify(path)};${readFileSync(args.path, "utf8")}`,
        },
    );
  },
});

/** The package asks for rxjs through this file. */
const RXJS = "rxjs.cjs";

/**
 * rxjs stays outside: a reactive host has it loaded already, and its observables are of the same class.
 * `import "rxjs"` would load all 224 files of it, and read each of them once more for its names.
 * Where a file of it lies can change with a version: hence the narrow range in package.json.
 */
const rxjsApart = {
  name: "rxjs apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^rxjs$/ }, () => ({ path: `./${RXJS}`, external: true })),
};

/** A module that loads the files of rxjs that the built files use, and none of the others. */
function partsOfRxjs() {
  const built = Object.keys(library.metafile.outputs)
    .map((path) => readFileSync(join(root, path), "utf8"));
  const index = readFileSync(join(root, "node_modules/rxjs/dist/esm/index.js"), "utf8");
  const places = new Map(
    [...index.matchAll(/^export \{ (.*) \} from '\.\/(.*)';/gm)]
      .flatMap(([, names, place]) => names.split(", ").map((name) => [name, place])),
  );
  const imports = new RegExp(String.raw`import\s*\{([^}]+)\}\s*from\s*"\./${RXJS}"`, "g");
  const names = new Set(
    built.flatMap((text) => [...text.matchAll(imports)])
      .flatMap(([, list]) => list.split(",").map((entry) => entry.trim().split(/\s+as\s+/)[0])),
  );
  return [...names].sort().map((name) => {
    if (!places.has(name)) throw new Error(`Cannot bundle "${name}": rxjs does not export it`);
    return `exports.${name} = require("rxjs/${places.get(name)}").${name};\n`;
  }).join("");
}

/**
 * The files that are loaded on demand. They are known before the build: one can be read before the
 * `import()` of it, or after, so that the build would not be the same each time.
 */
function importedOnDemand() {
  return readdirSync(join(root, "src"), { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, "src", name))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+)"\)/g)]
        .map(([, path]) => join(dirname(file), path))
    );
}

const common = {
  absWorkingDir: root,
  outdir,
  // All in one folder, so that assets are found beside every file.
  entryNames: "[name]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  define: {
    SHELLFLOW_VERSION: JSON.stringify(version),
    "import.meta.url": "moduleUrl",
    "import.meta.resolve": "moduleResolve",
  },
  // Packages in CommonJS that are inside ask for Node's own modules by require. A bundle that is
  // CommonJS itself has an empty import.meta, and a file name.
  banner: {
    js: `import { createRequire as requireFrom } from "node:module";
import { pathToFileURL as urlOfFile } from "node:url";
const moduleUrl = import.meta.url ?? urlOfFile(typeof __filename === "string" ? __filename : ".").href;
const require = requireFrom(moduleUrl), moduleResolve = import.meta.resolve ?? require.resolve;`,
  },
  // Half of the time to load is the time to read; short lines keep stack traces readable.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: "warning",
  logOverride: { "ignored-bare-import": "silent" },
};
/** A command that the host of a session runs needs no runtime here. */
const FOR_HOST = ["src/cli/run/run.ts", "src/cli/session/run-in-session.ts"];
/** Native packages cannot be inside, and those of NATS are the embedder's. */
const outside = [...Object.keys(optionalDependencies), ...Object.keys(peerDependencies)];

rmSync(outdir, { recursive: true, force: true });
const library = await build({
  ...common,
  plugins: [prototypes, around("src/mod.ts"), rxjsApart],
  entryPoints: Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])),
  chunkNames: "[name]-[hash]",
  external: outside,
});
writeFileSync(join(outdir, RXJS), partsOfRxjs());
const program = await build({
  ...common,
  plugins: [prototypes, around("src/cli/run/run-here.ts", FOR_HOST)],
  entryPoints: { cli: "src/cli/main.ts" },
  chunkNames: "cli-[name]-[hash]",
  external: outside,
  // Its modules as such, of which only the used ones are taken in.
  alias: { rxjs: join(root, "node_modules/rxjs/dist/esm/index.js") },
  minifyIdentifiers: true,
  sourcemap: false,
});
const inputs = { ...library.metafile.inputs, ...program.metafile.inputs };
for (const asset of ASSETS) {
  copyFileSync(join(root, "node_modules", asset), join(outdir, asset.split("/").at(-1)));
}
writeFileSync(join(outdir, "LICENSES.txt"), licences());
if (!args.includes("--no-types")) process.exitCode = types();

/** The licence of each package that is inside, each once. */
function licences() {
  const inside = new Set(
    [...Object.keys(inputs), ...ASSETS.map((path) => `node_modules/${path}`)]
      .flatMap((path) =>
        path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/)?.[1] ?? []
      ),
  );
  return [...inside].sort().map((name) => {
    const directory = join(root, "node_modules", name);
    const file = readdirSync(directory).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (file === undefined) throw new Error(`Cannot bundle "${name}": it has no licence file`);
    return `${name}\n\n${readFileSync(join(directory, file), "utf8").trim()}\n`;
  }).join(`\n${"-".repeat(80)}\n\n`);
}

function types() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  // Declarations are isolated: they come from each file alone, and the gate checks the types.
  const form = ["-p", "src", "--noCheck", "--emitDeclarationOnly", "--sourceMap", "false"];
  const { status } = spawnSync(
    process.execPath,
    [tsc, ...form, "--outDir", join(outdir, "types")],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
  leaveOutInner();
  return status ?? 1;
}

/** Delete the types that no entry leads to, which are two of three files. */
function leaveOutInner() {
  const folder = join(outdir, "types");
  const reached = new Set();
  const reach = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    const imports = readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g);
    for (const [, path] of imports) reach(join(dirname(file), `${path}.d.ts`));
  };
  for (const name of ENTRIES) reach(join(folder, `${name}.d.ts`));
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name);
    if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
}
