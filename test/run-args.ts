import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where the tests were compiled, and the command line was bundled. */
const build = process.env["SHELLFLOW_TEST_BUILD"];
const onDeno = "Deno" in globalThis;

/**
 * The arguments with which this runtime runs another file of the checkout, wherever it is started.
 *
 * @param file Its address, relative to that of the file that asks: where the tests were compiled, so
 *   was it.
 */
export function runArgs(file: URL): string[] {
  if (onDeno) return ["run", "-A", "--no-check", fileURLToPath(asShipped(file))];
  if (build === undefined) return ["--import", import.meta.resolve("tsx"), fileURLToPath(file)];
  return [fileURLToPath(moduleUrl(file))];
}

/** The command line loads in half of the time where it is one bundle. */
function asShipped(file: URL): URL {
  const main = "src/cli/main";
  if (build === undefined || !file.href.endsWith(`/${main}.ts`)) return file;
  return pathToFileURL(`${build}/${main}.js`);
}

/** The address at which a source file can be imported: where the tests were compiled, it was, too. */
export function moduleUrl(file: URL): URL {
  return onDeno || build === undefined ? file : new URL(file.href.replace(/\.ts$/, ".js"));
}
