import { writeAvailable } from "../non-blocking.ts";

/** What is used of Deno's way to call libraries of the system. */
interface Libraries {
  dlopen(file: string, functions: typeof FUNCTIONS): { readonly symbols: CFunctions };
}

interface CFunctions {
  write(fd: number, bytes: Uint8Array, size: bigint): bigint | number;
  fcntl(fd: number, command: number, value: number): number;
}

const FUNCTIONS = {
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
} as const;

const F_SETFD = 2;
const FD_CLOEXEC = 1;

let loaded: CFunctions | undefined;

/** The C library on Deno, which writes only to what it has opened; Node cannot call it, and writes to any descriptor. */
function library(runtime: object = globalThis): CFunctions | undefined {
  return hasLibraries(runtime)
    ? loaded ??= runtime.Deno.dlopen("libc.so.6", FUNCTIONS).symbols
    : undefined;
}

function hasLibraries(runtime: object): runtime is { readonly Deno: Libraries } {
  return "Deno" in runtime;
}

/** Write to the master side of a pseudo-terminal without blocking; answers how many bytes the kernel took, 0 while its buffer is full. */
export function writeMaster(fd: number, bytes: Uint8Array): number {
  const functions = library();
  if (functions === undefined) return writeAvailable(fd, bytes);
  // Any failure counts as a full buffer: the reader notices a terminal that is gone.
  return Math.max(0, Number(functions.write(fd, bytes, BigInt(bytes.length))));
}

/** Keep processes that Deno starts from now on from inheriting a descriptor. On Node nothing is done: forked children inherit it, those of posix_spawn do not. */
export function closeOnExec(fd: number): void {
  library()?.fcntl(fd, F_SETFD, FD_CLOEXEC);
}
