import process from "node:process";
import { fileURLToPath } from "node:url";
import { BUNDLED } from "../platform/version.ts";

/** The arguments with which the runtime of this process runs our program. */
export function ownProgram(): readonly string[] {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const main = new URL(BUNDLED ? "cli.js" : `./main.${ending}`, import.meta.url);
  const file = main.protocol === "file:" ? fileURLToPath(main) : main.href;
  return "Deno" in globalThis ? ["run", "-A", file] : [...process.execArgv, file];
}
