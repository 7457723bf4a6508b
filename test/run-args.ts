import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url).href;
/** What this process has of them. */
const WASM_FLAGS = process.execArgv.filter((flag) => flag.startsWith("--wasm-"));

/**
 * The arguments with which this runtime runs another file of the checkout, wherever it is started.
 *
 * Node runs it as compiled in the directory SHELLFLOW_TEST_BUILD, where a whole run of the tests has
 * that made once, or else has it compiled at each start.
 */
export function runArgs(file: URL): string[] {
  if ("Deno" in globalThis) return ["run", "-A", "--no-check", fileURLToPath(file)];
  const build = process.env["SHELLFLOW_TEST_BUILD"];
  if (build === undefined) {
    return [...WASM_FLAGS, "--import", import.meta.resolve("tsx"), fileURLToPath(file)];
  }
  return [...WASM_FLAGS, `${build}/${file.href.slice(ROOT.length).replace(/\.ts$/, ".js")}`];
}
