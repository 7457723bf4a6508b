import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { atEnd } from "./arguments.ts";

const ROOT = new URL("../", import.meta.url);

/**
 * On Node, run a bench file again as its users run the project, compiled: what tsx makes of a file
 * names each function anew whenever it is made.
 *
 * @param file The address of the bench file.
 * @returns Whether it ran so; then there is nothing else to do, and the process has its exit code.
 */
export function ranCompiled(file: string): boolean {
  if ("Deno" in globalThis || !file.endsWith(".ts")) return false;
  const root = fileURLToPath(ROOT);
  // Within the project, so that the packages are found.
  const build = join(root, "node_modules/.cache", `shellflow-bench-${process.pid}`);
  atEnd(() => rmSync(build, { recursive: true, force: true }));
  const form = ["--noCheck", "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "-p", "test", ...form];
  run([...tsc, "--outDir", build], root);
  copyFileSync(join(root, "package.json"), join(build, "package.json"));
  const compiled = join(build, file.slice(ROOT.href.length).replace(/\.ts$/, ".js"));
  run([compiled, ...process.argv.slice(2)]);
  return true;
}

function run(args: readonly string[], cwd = process.cwd()): void {
  const { status, error } = spawnSync(process.execPath, args, { cwd, stdio: "inherit" });
  if (error !== undefined) throw error;
  // It has said itself what is wrong.
  if (status !== 0) process.exit(status ?? 1);
}
