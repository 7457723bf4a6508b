/**
 * The layers of `src/`, lowest first. A file imports from its own folder or from rows above it.
 *
 * The runtime (composition root) and the door stand below `cli` and `integration`, because those
 * are clients of a runtime like any program that imports it.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ["value"],
  ["platform", "stream"],
  ["event"],
  ["shell"],
  ["screen", "text"],
  ["command", "permission", "env", "execution", "output"],
  ["gate"],
  ["pipeline"],
  ["session", "replay"],
  ["task", "notification"],
  ["control"],
  ["runtime"],
  ["tool"],
  ["mod", "testing"],
  ["integration"],
  ["cli", "acp", "inspector", "mcp", "nats", "telemetry", "tools"],
];

/** Where `node:` modules, `Deno` and native modules may appear. */
const WORLD = ["platform", "cli", "integration"];

/** The only files that may pass on what others export. */
const DOORS = [
  "mod.ts",
  "testing.ts",
  "acp.ts",
  "inspector.ts",
  "mcp.ts",
  "nats.ts",
  "telemetry.ts",
  "tools.ts",
];

/** File names that say nothing of what is inside. */
const EMPTY_NAMES = /(^|\/)(types|utils|common|helpers|index)\.ts$/;

/** A source file, as far as the layers are concerned. */
export interface SourceFile {
  /** Module specifiers, as written. */
  readonly imports: readonly string[];
  /** Whether it exports what another module defines. */
  readonly reexports: boolean;
  /** Whether it names the global `Deno`. */
  readonly usesDeno: boolean;
}

/** Take from a source text what {@linkcode violations} looks at. */
export function readSource(text: string): SourceFile {
  const code = text.replaceAll(/^\s*(\/\*\*?[\s\S]*?\*\/|\/\/.*)/gm, "");
  const specifier = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, path = ""]) => path);
  const passedOn = specifier(/^export\b[^;"'=(]*\bfrom\s+["']([^"']+)["']/gm);
  return {
    imports: [
      ...specifier(/^import\b[^;"'(]*["']([^"']+)["']/gm),
      ...specifier(/\bimport\(\s*["']([^"']+)["']/g),
      ...passedOn,
    ],
    reexports: passedOn.length > 0,
    usesDeno: /\bDeno\b\s*[.\[?]|\bglobalThis\.Deno\b/.test(code),
  };
}

/** Everything in which the files break the layers: one sentence each, with the file's path first. */
export function violations(files: ReadonlyMap<string, SourceFile>): readonly string[] {
  const found: string[] = [];
  for (const [path, file] of files) {
    const say = (what: string) => found.push(`${path} ${what}`);
    const home = folder(path);
    if (depth(home) === undefined) say(`is in "${home}", which has no place in the layers`);
    if (EMPTY_NAMES.test(path)) say("has a name that says nothing");
    if (file.reexports && !DOORS.includes(path)) say("passes on what another file exports");
    if (file.usesDeno && !WORLD.includes(home)) say("uses Deno outside platform/");
    for (const specifier of file.imports) {
      const wrong = wrongImport(path, specifier, files);
      if (wrong !== undefined) say(`imports "${specifier}", ${wrong}`);
    }
  }
  return [...found, ...circles(files)];
}

function wrongImport(
  path: string,
  specifier: string,
  files: ReadonlyMap<string, SourceFile>,
): string | undefined {
  const home = folder(path);
  if (specifier.startsWith("node:") || specifier === "node-pty") {
    return WORLD.includes(home) ? undefined : "which only platform/ may";
  }
  if (!specifier.startsWith(".")) {
    return /^shellflow(\/|$)/.test(specifier) ? "which is the package itself" : undefined;
  }
  if (!specifier.endsWith(".ts")) return "which is no source file";
  const target = resolve(path, specifier);
  if (!files.has(target)) return "which does not exist";
  const [here, there] = [depth(home), depth(folder(target))];
  if (home === folder(target) || here === undefined || there === undefined) return undefined;
  if (there === here) return "which is beside it";
  return there > here ? "which is above it" : undefined;
}

/** Each circle of imports once, named from its first file on. */
function circles(files: ReadonlyMap<string, SourceFile>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) {
      found.push(`${path} imports itself: ${[...way.slice(start), path].join(" -> ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const specifier of files.get(path)?.imports ?? []) {
      if (specifier.startsWith(".")) visit(resolve(path, specifier), [...way, path]);
    }
    done.add(path);
  };
  for (const path of files.keys()) visit(path, []);
  return found;
}

function folder(path: string): string {
  return path.replace(/\.ts$/, "").split("/")[0] ?? path;
}

function depth(name: string): number | undefined {
  const row = LAYERS.findIndex((names) => names.includes(name));
  return row < 0 ? undefined : row;
}

function resolve(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}
