import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cleanUp } from "../clean-up.ts";
import { ROOT } from "../root.ts";

const exec = promisify(execFile);
const root = fileURLToPath(ROOT);
/** Node, also where Deno runs the tests. */
export const NODE: string = "Deno" in globalThis ? "node" : process.execPath;
/** What npm installs with the package beside its optional parts, and the types of Node. */
const DEPENDENCIES = ["rxjs", "tslib", "@types"];

/** An empty project in which the packed package is installed, without its optional parts. */
export interface PackedProject {
  readonly directory: string;
  /** Run the TypeScript compiler there; answers what it complains about. */
  readonly compile: (...args: readonly string[]) => Promise<string>;
  /** Run a program there; answers what it prints. */
  readonly run: (file: string, ...args: readonly string[]) => Promise<string>;
}

/** Build the package, pack it, and install the tarball as npm does; no registry is asked. */
export async function packedProject(
  { types }: { readonly types: boolean },
): Promise<PackedProject> {
  const scratch = mkdtempSync(join(tmpdir(), "shellflow-packed-"));
  cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
  const [source, directory] = [join(scratch, "source"), join(scratch, "project")];
  const installed = join(directory, "node_modules/shellflow");
  mkdirSync(installed, { recursive: true });
  for (const folder of ["src", "docs"]) {
    cpSync(join(root, folder), join(source, folder), { recursive: true });
  }
  for (const file of ["package.json", "README.md", "LICENSE"]) {
    cpSync(join(root, file), join(source, file));
  }
  const build = [join(root, ".ci/build.mjs"), join(source, "dist")];
  await exec(NODE, types ? build : [...build, "--no-types"]);
  const pack = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", scratch];
  const { stdout } = await exec("npm", pack, { cwd: source });
  await exec("tar", [
    "-xzf",
    join(scratch, stdout.trim()),
    "--strip-components=1",
    "-C",
    installed,
  ]);
  for (const name of DEPENDENCIES) {
    symlinkSync(join(root, "node_modules", name), join(directory, "node_modules", name));
  }
  linkPrograms(join(directory, "node_modules"));
  writeFileSync(join(directory, "package.json"), '{ "type": "module", "private": true }');
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return {
    directory,
    compile: (...args) =>
      exec(NODE, [tsc, ...args], { cwd: directory }).then(
        ({ stdout }) => stdout,
        ({ stdout }: { readonly stdout: string }) => stdout,
      ),
    run: async (file, ...args) => (await exec(file, args, { cwd: directory })).stdout,
  };
}

/** The programs that a package brings, as npm links them. */
function linkPrograms(modules: string): void {
  const manifest = readFileSync(join(modules, "shellflow/package.json"), "utf8");
  const { bin } = JSON.parse(manifest) as { readonly bin: Readonly<Record<string, string>> };
  mkdirSync(join(modules, ".bin"));
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(modules, "shellflow", file), 0o755);
    symlinkSync(join("../shellflow", file), join(modules, ".bin", name));
  }
}
