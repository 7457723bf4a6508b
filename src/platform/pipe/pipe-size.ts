/** What is used of Deno's way to call libraries of the system. */
interface Libraries {
  readonly permissions: { querySync(wanted: { name: "ffi" }): { readonly state: string } };
  dlopen(
    file: string,
    functions: {
      readonly fcntl: {
        readonly parameters: readonly ["i32", "i32", "i32"];
        readonly result: "i32";
      };
    },
  ): { readonly symbols: { fcntl(fd: number, command: number, size: number): number } };
}

const F_SETPIPE_SZ = 1031;

type Fcntl = (fd: number, command: number, size: number) => number;

let loaded: { readonly fcntl: Fcntl | undefined } | undefined;

/**
 * Make a pipe hold so many bytes, where the runtime can ask Linux for it: Deno can, if it may, and Node cannot.
 *
 * @returns Whether it does now; there is a limit to what all pipes of a user may hold.
 */
export function growPipe(fd: number, bytes: number): boolean {
  loaded ??= { fcntl: load(globalThis) };
  return loaded.fcntl !== undefined && loaded.fcntl(fd, F_SETPIPE_SZ, bytes) >= bytes;
}

function load(runtime: object): Fcntl | undefined {
  if (!hasLibraries(runtime)) return undefined;
  try {
    // To ask for a permission that was not given would stop to ask the user.
    if (runtime.Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return undefined;
    const functions = { fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" } } as const;
    return runtime.Deno.dlopen("libc.so.6", functions).symbols.fcntl;
  } catch {
    return undefined;
  }
}

function hasLibraries(runtime: object): runtime is { readonly Deno: Libraries } {
  return "Deno" in runtime;
}
