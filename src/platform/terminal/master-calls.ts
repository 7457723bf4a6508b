import { writeAvailable } from "../non-blocking.ts";

/** What is done with the master side of a pseudo-terminal, a descriptor that no runtime opened itself. */
export interface MasterCalls {
  /** Write without blocking; answers how many bytes the kernel took, 0 while its buffer is full. */
  write(fd: number, bytes: Uint8Array): number;
  /** Keep processes that are started from now on from inheriting the descriptor, where that is possible. */
  closeOnExec(fd: number): void;
}

/**
 * Node writes to any descriptor, but has no `fcntl`: children that it forks inherit the master side,
 * those of posix_spawn do not. Deno writes only to what it has opened, so the C library is called there.
 */
export const masterCalls: MasterCalls = ofRuntime(globalThis);

function ofRuntime(runtime: object): MasterCalls {
  return hasLibraries(runtime)
    ? byLibrary(runtime.Deno)
    : { write: writeAvailable, closeOnExec: () => {} };
}

const FUNCTIONS = {
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
} as const;

/** What is used of Deno's way to call libraries of the system. */
interface Libraries {
  dlopen(file: string, functions: typeof FUNCTIONS): {
    readonly symbols: {
      write(fd: number, bytes: Uint8Array, size: bigint): bigint | number;
      fcntl(fd: number, command: number, value: number): number;
    };
  };
}

const F_SETFD = 2;
const FD_CLOEXEC = 1;

function byLibrary(deno: Libraries): MasterCalls {
  let symbols: ReturnType<Libraries["dlopen"]>["symbols"] | undefined;
  const library = () => symbols ??= deno.dlopen("libc.so.6", FUNCTIONS).symbols;
  return {
    // Any failure counts as a full buffer: the reader notices a terminal that is gone.
    write: (fd, bytes) => Math.max(0, Number(library().write(fd, bytes, BigInt(bytes.length)))),
    closeOnExec: (fd) => void library().fcntl(fd, F_SETFD, FD_CLOEXEC),
  };
}

function hasLibraries(runtime: object): runtime is { readonly Deno: Libraries } {
  return "Deno" in runtime;
}
