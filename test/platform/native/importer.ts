/** Imports an entry point, `mod` or `native`, and uses what the latter has; tells what that has loaded. */
import { readFileSync } from "node:fs";
import process from "node:process";

if (process.argv[2] === "native") {
  const { nativeCalls } = await import("../../../src/native.ts");
  await nativeCalls();
} else {
  await import("../../../src/mod.ts");
}
process.stdout.write(String(readFileSync("/proc/self/maps", "utf8").includes("koffi")));
