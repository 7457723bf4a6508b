import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { codeOf } from "./failure.ts";

/** A compiled module; the types of Node 20 do not declare it. */
export type WasmModule = Parameters<typeof import("web-tree-sitter").Language.loadSync>[0];

declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => WasmModule };

/**
 * Compile a large WebAssembly module with the fast compiler of V8 alone.
 *
 * The optimising compiler would take one to two seconds of a processor for the grammar, and Node
 * waits for it at its exit. V8 reads the flag while a module is made, which is synchronous here, so
 * that no other module is compiled under it.
 */
export function compileWasm(bytes: Uint8Array): WasmModule {
  setFlagsFromString("--liftoff-only");
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString("--no-liftoff-only");
  }
}

/**
 * Read a WebAssembly file: a build of this package has it beside the bundle, the sources in a package.
 *
 * @param specifier The package and the file in it.
 * @throws {Error} `Cannot find "<file>": <where it should be>`.
 */
export function readWasm(specifier: string): Uint8Array {
  const file = specifier.slice(specifier.lastIndexOf("/") + 1);
  const places = [
    () => join(dirname(fileURLToPath(import.meta.url)), file),
    () => createRequire(import.meta.url).resolve(specifier),
    () => fileURLToPath(import.meta.resolve(specifier)),
    // A bundler of a program that embeds this package moves the code and leaves the file behind.
    () => join(dirname(createRequire(import.meta.url).resolve("shellflow")), file),
  ];
  for (const place of places) {
    try {
      return readFileSync(place());
    } catch (cause) {
      if (!isAbsent(cause)) throw cause;
    }
  }
  throw new Error(
    `Cannot find "${file}": it is neither beside the program nor in an installed package; ` +
      `copy it from "node_modules/shellflow/dist" beside the bundle`,
  );
}

/** The file is not there, or this runtime cannot resolve the specifier like this. */
function isAbsent(cause: unknown): boolean {
  const isSystemError = cause instanceof Error && "syscall" in cause;
  return !isSystemError || codeOf(cause) === "ENOENT";
}
