import { fileURLToPath } from "node:url";

/** The arguments with which this runtime runs another file, wherever it is started. */
export function runArgs(file: URL): string[] {
  const runtime = "Deno" in globalThis
    ? ["run", "-A", "--no-check"]
    : ["--import", import.meta.resolve("tsx")];
  return [...runtime, fileURLToPath(file)];
}
