import { setFlagsFromString } from "node:v8";

/**
 * Leave WebAssembly as the fast compiler of V8 makes it, from now on.
 *
 * The optimising one takes one to two seconds of a processor for the grammar, beginning with the
 * first lines, and Node waits for it at its exit: more than thousands of lines gain by it. It is a
 * setting of the whole process, so it is for programs of ours alone.
 */
export function leaveWasmUnoptimised(): void {
  // Deno waits for no compiler when it exits.
  if (!("Deno" in globalThis)) setFlagsFromString("--wasm-tiering-budget=2000000000");
}
