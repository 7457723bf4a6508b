import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * The arguments with which this runtime runs another file of the checkout, wherever it is started.
 *
 * @param file Its address, relative to that of the file that asks: where the tests were compiled, so
 *   was it.
 */
export function runArgs(file: URL): string[] {
  if ("Deno" in globalThis) return ["run", "-A", "--no-check", fileURLToPath(file)];
  if (process.env["SHELLFLOW_TEST_BUILD"] === undefined) {
    return ["--import", import.meta.resolve("tsx"), fileURLToPath(file)];
  }
  return [fileURLToPath(moduleUrl(file))];
}

/** The address at which a source file can be imported: where the tests were compiled, it was, too. */
export function moduleUrl(file: URL): URL {
  const compiled = !("Deno" in globalThis) && process.env["SHELLFLOW_TEST_BUILD"] !== undefined;
  return compiled ? new URL(file.href.replace(/\.ts$/, ".js")) : file;
}
