import { attempt } from "../failure.ts";

/** Memory that C reads or writes, which stays where it is during the call. */
type Memory = Uint8Array | Int32Array;

/** Strings with `null` after the last one. */
type Strings = readonly (string | null)[];

/** The functions of the C library that are called; see their manual pages. */
export interface CLibrary {
  /** The number of the last error. */
  readonly errno: () => number;
  readonly spawn: (
    pid: Int32Array,
    path: string,
    actions: Memory,
    attributes: Memory,
    argv: Strings,
    env: Strings,
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
  readonly fcntl: (fd: number, command: number, value: number) => number;
  readonly waitpid: (pid: number, status: Int32Array, options: number) => number;
  readonly mkfifo: (path: string, mode: number) => number;
  /** With a callback as its last argument, in another thread. */
  readonly poll: (list: Memory, count: number, timeoutMs: number, done: () => void) => void;
}

/** The package that calls C, as far as it is used. */
export type Koffi = Pick<typeof import("koffi"), "errno" | "load">;

/**
 * Find the functions in the C library of this process.
 *
 * @throws {Error} When it is not the GNU C library, or too old.
 */
export function cLibrary(koffi: Koffi): CLibrary {
  try {
    const library = koffi.load("libc.so.6");
    const func = (definition: string) => library.func(definition);
    // Another C library of this name has other constants and other sizes.
    func("str gnu_get_libc_version()");
    return {
      errno: koffi.errno,
      spawn: func("int posix_spawn(void *, str, void *, void *, const char **, const char **)"),
      initActions: func("int posix_spawn_file_actions_init(void *)"),
      destroyActions: func("int posix_spawn_file_actions_destroy(void *)"),
      addOpen: func("int posix_spawn_file_actions_addopen(void *, int, str, int, uint)"),
      addDup2: func("int posix_spawn_file_actions_adddup2(void *, int, int)"),
      addChdir: func("int posix_spawn_file_actions_addchdir_np(void *, str)"),
      addCloseFrom: attempt(() =>
        func("int posix_spawn_file_actions_addclosefrom_np(void *, int)")
      ),
      initAttributes: func("int posix_spawnattr_init(void *)"),
      setFlags: func("int posix_spawnattr_setflags(void *, short)"),
      setSignalDefaults: func("int posix_spawnattr_setsigdefault(void *, void *)"),
      setSignalMask: func("int posix_spawnattr_setsigmask(void *, void *)"),
      fcntl: func("int fcntl(int, int, int)"),
      waitpid: func("int waitpid(int, void *, int)"),
      mkfifo: func("int mkfifo(str, uint)"),
      poll: func("int poll(void *, ulong, int)").async,
    };
  } catch (cause) {
    throw new Error("the GNU C library, 2.29 or later, cannot be found", { cause });
  }
}
