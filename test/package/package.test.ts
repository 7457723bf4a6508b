import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cleanUp } from "../clean-up.ts";
import { ROOT } from "../root.ts";
import { NODE, packedProject } from "./packed-project.ts";

const ON_DENO = "Deno" in globalThis;
const PARTS = ["testing", "tools", "mcp", "acp", "inspector", "nats", "telemetry"];
const MODULES = ["shellflow", ...PARTS.map((name) => `shellflow/${name}`)];
const DOCS = ["docs/stages.md", "docs/replay.md"];

/** What must not compile. */
const WRONG_ORDER = `
import { type CommandAdmitted, construct, parse } from "shellflow";
import { of } from "rxjs";
// @ts-expect-error: what was not permitted cannot be constructed
of<CommandAdmitted>().pipe(parse(), construct());
`;

/** A rule allows its line, so that the grammar is asked. */
const EMBEDS = `
import { createRuntime } from "shellflow";
async function main() {
  const runtime = await createRuntime({ rules: { allow: ["Bash(printf *)"] } });
  const { output, outcome } = await runtime.run("printf 'hi\\\\n'");
  await runtime.close();
  if (outcome.type !== "exited") throw new Error(outcome.reason);
  process.stdout.write(output);
}
void main();
`;

const SAME_RXJS = `
import { Observable } from "rxjs";
import { createRuntime } from "shellflow";
const runtime = await createRuntime({ mode: "bypass" });
console.log(runtime.events instanceof Observable);
await runtime.close();
`;

const LINKS = `
import { createRuntime } from "shellflow";
const runtime = await createRuntime({ mode: "bypass" });
process.stdout.write(import.meta.resolve("tslib"));
await runtime.close();
`;

const project = await packedProject({ types: !ON_DENO });
const inPackage = (path: string) => join(project.directory, "node_modules/shellflow", path);

/** The examples of a page, each as a program. */
const examplesOf = (page: string): readonly string[] =>
  [...readFileSync(new URL(page, ROOT), "utf8").matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map(([, code = ""]) => code);

const examples = DOCS.flatMap((page) =>
  examplesOf(page).map((code, i) => ({ name: `${/\w+(?=\.md)/.exec(page)?.[0]}-${i}`, code }))
);
const programs = ["use", ...examples.map(({ name }) => name)];
const write = (name: string, text: string) => writeFileSync(join(project.directory, name), text);
for (const { name, code } of examples) write(`${name}.ts`, code);
const uses = MODULES.map((name, i) => `import * as m${i} from "${name}";\nvoid m${i};\n`);
write("use.ts", uses.join("") + WRONG_ORDER);
const extension = ON_DENO ? "ts" : "js";
write("all.mjs", programs.map((name) => `await import("./${name}.${extension}");\n`).join(""));

describe("the packed package", () => {
  it("assigns no prototype in the way that Deno does not know", () => {
    const files = readdirSync(inPackage("dist")).filter((name) => name.endsWith(".js"));
    const assigns = files.filter((name) =>
      /\.__proto__\s*=[^=]/.test(readFileSync(inPackage(`dist/${name}`), "utf8"))
    );
    assert.ok(files.length > 0);
    assert.deepEqual(assigns, []);
  });

  it("shows each idea of docs/stages.md in at most 15 lines", () => {
    for (const code of examplesOf("docs/stages.md")) {
      const lines = code.split("\n").filter((line) => line.trim() !== "");
      assert.ok(lines.length <= 15, code);
    }
  });

  it("has types for a strict consumer, and runs the examples of its pages", async () => {
    if (ON_DENO) {
      return void await project.run(process.execPath, "run", "-A", "--no-check", "all.mjs");
    }
    const strict = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true };
    const configure = (name: string, options: object, names: readonly string[]) =>
      write(
        name,
        JSON.stringify({
          compilerOptions: { ...strict, target: "es2022", ...options },
          files: names.map((each) => `${each}.ts`),
        }),
      );
    const [nodenext, bundler] = ["nodenext.json", "bundler.json"];
    configure(nodenext, { module: "nodenext", types: ["node"], outDir: "." }, programs);
    // Without the types of Node: the package needs no types but its own and those of rxjs.
    const alone = { module: "esnext", moduleResolution: "bundler", types: [], noEmit: true };
    configure(bundler, alone, ["use"]);
    assert.equal(await project.compile("-p", nodenext), "");
    assert.equal(await project.compile("-p", bundler), "");
    await project.run(NODE, "all.mjs");
  });

  it("gives observables of the class that the program has from rxjs", async () => {
    write("same-rxjs.mjs", SAME_RXJS);
    const [file, options] = ON_DENO ? [process.execPath, ["run", "-A", "--no-check"]] : [NODE, []];
    assert.equal(await project.run(file, ...options, "same-rxjs.mjs"), "true\n");
  });

  it("has every page and file that its pages link to", () => {
    const links = ["README.md", ...readdirSync(inPackage("docs")).map((name) => `docs/${name}`)]
      .flatMap((page) =>
        [...readFileSync(inPackage(page), "utf8").matchAll(/\]\((?!#|\w+:)([^)#]+)/g)]
          .map(([, link = ""]) => join(page, "..", link))
      );
    assert.ok(links.length > 20);
    assert.deepEqual(links.filter((path) => !existsSync(inPackage(path))), []);
  });

  it("loads few files, and no terminal, native call, grammar or command line, when it is imported", () => {
    for (const entry of ["mod", ...PARTS]) {
      const { files, packages, outside } = loadedBy(`dist/${entry}.js`);
      // Each costs as much to load as 30 kB of text take to read.
      assert.ok(files.size <= 4, [...files].join());
      const others = [...outside].filter((name) => !name.startsWith("node:"));
      assert.deepEqual(others, ["rxjs"]);
      const optional = /xterm|koffi|node-pty|commander|tree-sitter/;
      assert.deepEqual([...packages].filter((name) => optional.test(name)), []);
      const hasMcp = [...packages].some((name) => name.startsWith("@modelcontextprotocol/"));
      assert.equal(hasMcp, entry === "mcp");
    }
  });
});

describe("the packed program", () => {
  it("loads no runtime for a command that the host of a session runs", () => {
    const start = readdirSync(inPackage("dist")).filter((name) =>
      /^cli-run(?:-in-session)?-[^-]+\.js$/.test(name)
    );
    assert.equal(start.length, 2);
    const files = new Set(start.map((name) => `dist/${name}`));
    for (const file of files) {
      for (const name of importedBy(file)) {
        if (name.startsWith("./")) files.add(`dist/${name.slice(2)}`);
      }
    }
    const size = [...files].reduce((sum, file) => sum + statSync(inPackage(file)).size, 0);
    assert.ok(size < 200_000, `${size} bytes`);
  });
});

// The same files, whichever runtime the library is used on.
if (!ON_DENO) {
  describe("a bundle of a program that embeds the package", () => {
    write("embeds.mjs", EMBEDS);
    const native = ["node-pty", "koffi", "@xterm/headless"].map((name) => `--external:${name}`);
    const esbuild = fileURLToPath(new URL("node_modules/.bin/esbuild", ROOT));
    for (const [format, ending] of [["cjs", "cjs"], ["esm", "mjs"]]) {
      it(`runs with the grammar beside it, as ${format}`, async () => {
        const directory = mkdtempSync(join(tmpdir(), "shellflow-bundle-"));
        cleanUp(() => rmSync(directory, { recursive: true, force: true }));
        const file = join(directory, `bundle.${ending}`);
        const form = ["--bundle", "--platform=node", `--format=${format}`, `--outfile=${file}`];
        await project.run(esbuild, "embeds.mjs", ...form, ...native, "--log-level=error");
        await assert.rejects(
          project.run(NODE, file),
          /copy it from "node_modules\/shellflow\/dist"/,
        );
        for (const name of readdirSync(inPackage("dist")).filter((name) => /\.wasm$/.test(name))) {
          copyFileSync(inPackage(`dist/${name}`), join(directory, name));
        }
        assert.equal(await project.run(NODE, file), "hi\n");
      });
    }
  });

  describe("a host of the package", () => {
    it("loads packages through links, as pnpm makes them, also after a runtime", async () => {
      write("links.mjs", LINKS);
      const real = realpathSync(join(project.directory, "node_modules/tslib"));
      const found = await project.run(NODE, "links.mjs");
      assert.ok(found.startsWith(pathToFileURL(real).href), found);
    });
  });

  describe("the program of the packed package", () => {
    it("prints its help", async () => {
      const help = await project.run(
        join(project.directory, "node_modules/.bin/shellflow"),
        "--help",
      );
      for (const name of ["run", "ps", "serve", "mcp"]) {
        assert.match(help, new RegExp(`^  ${name}`, "m"));
      }
    });

    it("serves MCP to a client that starts it by npx", async () => {
      const clientInfo = { name: "test", version: "1" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      const answers = await talk(["mcp", "--allow", "Bash(echo *)"], [
        { jsonrpc: "2.0", id: 1, method: "initialize", params },
        { jsonrpc: "2.0", method: "notifications/initialized" },
        {
          jsonrpc: "2.0",
          id: 2,
          method: "tools/call",
          params: { name: "bash", arguments: { command: "echo 'hi'" } },
        },
      ], 2);
      assert.match(answers, /"serverInfo"/);
      assert.match(answers, /hi\\nexit code 0/);
    });

    it("serves tools over lines to a program that starts it by npx", async () => {
      const lines = [{ id: 1, tool: "bash", input: { command: "echo 'hi'" } }];
      assert.match(await talk(["serve", "--allow", "Bash(echo *)"], lines, 1), /hi\\nexit code 0/);
    });
  });
}

/** What a file of the package imports at once. */
function importedBy(file: string): readonly string[] {
  const imports = /(?:[}*]\s*from|\bimport(?:\s+[\w$]+\s+from)?)\s*"([\w@./:-]+)"/g;
  return [...readFileSync(inPackage(file), "utf8").matchAll(imports)].map(([, name = ""]) => name);
}

/** Everything that a file of the package loads at once: the packages inside it, and those outside. */
function loadedBy(entry: string): {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  readonly outside: ReadonlySet<string>;
} {
  const files = new Set<string>([entry]);
  const packages = new Set<string>();
  const outside = new Set<string>();
  for (const file of files) {
    const { sources } = JSON.parse(readFileSync(inPackage(`${file}.map`), "utf8")) as {
      readonly sources: readonly string[];
    };
    for (const source of sources) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1];
      if (name !== undefined) packages.add(name);
    }
    for (const specifier of importedBy(file)) {
      if (specifier === "./rxjs.cjs") outside.add("rxjs");
      else if (specifier.startsWith("./")) files.add(`dist/${specifier.slice(2)}`);
      else outside.add(specifier);
    }
  }
  return { files, packages, outside };
}

/** Start the program by npx, send it messages, and end its input after so many answers with an id. */
async function talk(
  args: readonly string[],
  messages: readonly object[],
  answers: number,
): Promise<string> {
  const npx = spawn("npx", ["--no-install", "shellflow", ...args], {
    cwd: project.directory,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const complaints = text(npx.stderr);
  npx.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  let seen = "";
  npx.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    seen += chunk;
    if ((seen.match(/^\{.*"id":/gm) ?? []).length === answers) npx.stdin.end();
  });
  const code = await new Promise((resolve) => npx.once("close", resolve));
  assert.equal(code, 0, await complaints);
  return seen;
}
