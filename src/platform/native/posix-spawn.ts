import { Buffer } from "node:buffer";
import { constants } from "node:os";
import type { CLibrary } from "./c-library.ts";
import type { NativeProgram } from "./native-calls.ts";

// From the headers of the GNU C library, the same on all processors.
const O_RDONLY = 0;
const O_NONBLOCK = 0o4000;
const F_GETFL = 3;
const F_SETFL = 4;
const POSIX_SPAWN_SETSIGDEF = 0x04;
const POSIX_SPAWN_SETSIGMASK = 0x08;
const POSIX_SPAWN_SETSID = 0x80;
/** More than any of its structures takes. */
const STRUCTURE_BYTES = 512;

/**
 * Start programs by posix_spawn, which shares the memory of this process until the program runs: what
 * a fork takes to copy the tables of a large memory is not spent.
 */
export function posixSpawn(library: CLibrary): (program: NativeProgram) => number {
  const attributes = attributesOf(library);
  const actions = structure();
  const child = new Int32Array(1);
  return ({ path, argv, env, cwd, input, output, errors = output, report }) => {
    if ([path, cwd, ...argv, ...env].join("").includes("\0")) throw nullByte();
    if (input === 0) letReadsWait(library, input);
    check(library.initActions(actions));
    try {
      check(library.addDup2(actions, output, 1));
      check(library.addDup2(actions, errors, 2));
      check(
        input === undefined
          ? library.addOpen(actions, 0, "/dev/null", O_RDONLY, 0)
          : library.addDup2(actions, input, 0),
      );
      if (report !== undefined) check(library.addDup2(actions, report, 3));
      check(library.addChdir(actions, cwd));
      // Without it those stay that are not to be closed: none of Node's own, and some of Deno's.
      const first = report === undefined ? 3 : 4;
      if (library.addCloseFrom !== undefined) check(library.addCloseFrom(actions, first));
      check(library.spawn(child, path, actions, attributes, [...argv, null], [...env, null]));
    } finally {
      library.destroyActions(actions);
    }
    return child[0] ?? 0;
  };
}

/**
 * Node has the standard input of this process not wait, for `process.stdin`, which each import of
 * `node:process` makes: a command that inherits it would fail where nothing has come yet. Node does the
 * same where it starts a process.
 */
function letReadsWait({ fcntl }: CLibrary, fd: number): void {
  const flags = fcntl(fd, F_GETFL, 0);
  if (flags >= 0 && (flags & O_NONBLOCK) !== 0) fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

/** The reason why a program cannot be started with such a string. */
export function nullByte(): Error {
  return new Error("an argument, a variable or a path has a null byte in it, which would end it");
}

/** A host may ignore or block signals that its commands have to get. */
function attributesOf(library: CLibrary): Uint8Array {
  const attributes = structure();
  const signals = structure();
  check(library.initAttributes(attributes));
  const flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  check(library.setFlags(attributes, flags));
  check(library.setSignalMask(attributes, signals));
  // By hand, as its own function leaves out two that the library uses, and children would ignore those.
  check(library.setSignalDefaults(attributes, signals.fill(0xff)));
  return attributes;
}

/** Not from a pool: its address stays the same. */
function structure(): Uint8Array {
  return Buffer.allocUnsafeSlow(STRUCTURE_BYTES).fill(0);
}

/** These functions answer the number of an error, and 0 when there is none. */
function check(number: number): void {
  if (number === 0) return;
  const code = NAMES.get(number) ?? `E${number}`;
  throw Object.assign(new Error(`posix_spawn ${code}`), { code });
}

/** Some have two names: the first one is the usual one. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.errno).reverse().map(([name, number]) => [number, name]),
);
