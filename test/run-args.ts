import process from "node:process";
import { fileURLToPath } from "node:url";

/** Where the tests were bundled, and what they run and load by its address. */
const build = process.env["SHELLFLOW_TEST_BUILD"];
const onDeno = "Deno" in globalThis;

/**
 * The arguments with which this runtime runs another file of the checkout, wherever it is started.
 *
 * @param file Its address, relative to that of the file that asks: where the tests were bundled, so
 *   was it.
 */
export function runArgs(file: URL): string[] {
  const path = fileURLToPath(moduleUrl(file));
  if (onDeno) return ["run", "-A", "--no-check", path];
  return build === undefined ? ["--import", import.meta.resolve("tsx"), path] : [path];
}

/** The address at which a source file can be imported: where the tests were bundled, it was, too. */
export function moduleUrl(file: URL): URL {
  return build === undefined ? file : new URL(file.href.replace(/\.ts$/, ".js"));
}
