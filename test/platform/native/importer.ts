/** Imports an entry point, and uses it if it is the one of native calls; tells what that has loaded. */
import { readFileSync } from "node:fs";
import process from "node:process";

const { nativeCalls } = await import(process.argv[2] ?? "");
await nativeCalls?.();
const loaded = readFileSync("/proc/self/maps", "utf8").includes("koffi");
process.stdout.write(JSON.stringify({ entry: nativeCalls !== undefined, koffi: loaded }));
