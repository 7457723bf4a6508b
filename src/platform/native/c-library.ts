/** Memory that C reads or writes: an address, or bytes that stay where they are during the call. */
export type Memory = bigint | Uint8Array | Int32Array;

/** The functions of the C library that are called; see their manual pages. */
export interface CLibrary {
  /** Where some bytes are; they stay there as long as they are held. */
  readonly address: (bytes: Uint8Array) => bigint;
  /** The number of the last error. */
  readonly errno: () => number;
  readonly spawn: (
    pid: Int32Array,
    path: string,
    actions: Memory,
    attributes: Memory,
    argv: Memory,
    env: Memory,
  ) => number;
  readonly initActions: (actions: Memory) => number;
  readonly destroyActions: (actions: Memory) => number;
  readonly addOpen: (
    actions: Memory,
    fd: number,
    path: string,
    flags: number,
    mode: number,
  ) => number;
  readonly addDup2: (actions: Memory, from: number, to: number) => number;
  readonly addChdir: (actions: Memory, path: string) => number;
  /** Absent before version 2.34. */
  readonly addCloseFrom: ((actions: Memory, from: number) => number) | undefined;
  readonly initAttributes: (attributes: Memory) => number;
  readonly setFlags: (attributes: Memory, flags: number) => number;
  readonly setSignalDefaults: (attributes: Memory, signals: Memory) => number;
  readonly setSignalMask: (attributes: Memory, signals: Memory) => number;
  readonly waitpid: (pid: number, status: Int32Array, options: number) => number;
  readonly mkfifo: (path: string, mode: number) => number;
}

/** The package that calls C, as far as it is used. */
export type Koffi = Pick<typeof import("koffi"), "address" | "errno" | "load" | "sizeof">;

/**
 * Find the functions in the C library of this process.
 *
 * @throws {Error} When it is not the GNU C library, or too old.
 */
export function cLibrary(koffi: Koffi): CLibrary {
  // Addresses and what the kernel tells of a child are written and read by hand.
  if (koffi.sizeof("void *") !== 8) throw new Error("a 64-bit system is needed");
  const library = open(koffi);
  const func = (definition: string) => library.func(definition);
  return {
    address: koffi.address,
    errno: koffi.errno,
    spawn: func("int posix_spawn(void *, str, void *, void *, void *, void *)"),
    initActions: func("int posix_spawn_file_actions_init(void *)"),
    destroyActions: func("int posix_spawn_file_actions_destroy(void *)"),
    addOpen: func("int posix_spawn_file_actions_addopen(void *, int, str, int, uint)"),
    addDup2: func("int posix_spawn_file_actions_adddup2(void *, int, int)"),
    addChdir: func("int posix_spawn_file_actions_addchdir_np(void *, str)"),
    addCloseFrom: ifThere(() => func("int posix_spawn_file_actions_addclosefrom_np(void *, int)")),
    initAttributes: func("int posix_spawnattr_init(void *)"),
    setFlags: func("int posix_spawnattr_setflags(void *, short)"),
    setSignalDefaults: func("int posix_spawnattr_setsigdefault(void *, void *)"),
    setSignalMask: func("int posix_spawnattr_setsigmask(void *, void *)"),
    waitpid: func("int waitpid(int, void *, int)"),
    mkfifo: func("int mkfifo(str, uint)"),
  };
}

function open(koffi: Koffi): Pick<ReturnType<Koffi["load"]>, "func"> {
  try {
    const library = koffi.load("libc.so.6");
    // What bears this name elsewhere has other constants and other sizes.
    library.func("str gnu_get_libc_version()");
    library.func("int posix_spawn_file_actions_addchdir_np(void *, str)");
    return library;
  } catch (cause) {
    throw new Error("the GNU C library, 2.29 or later, cannot be found", { cause });
  }
}

function ifThere<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
