import { alone } from "../alone.ts";
import { detachedWrapper } from "./detached-wrapper.ts";

/** What a detached command needs of its wrapper. */
export interface WrapOptions {
  /** The common beginning of its files. */
  readonly base: string;
  /** The command's own PATH, if it has one; the wrapper finds its programs by that of its environment. */
  readonly path: string | undefined;
  /** Where bash is; without it the command keeps the descriptors that it inherits. */
  readonly bash: string | undefined;
}

/** The program to start, with its arguments, that runs a detached command. */
export function wrapped(
  command: readonly string[],
  { base, path, bash }: WrapOptions,
): readonly [program: string, ...args: string[]] {
  const name = "shellflow-detached";
  const given = path === undefined ? "" : `PATH=${path}`;
  return alone(["/bin/sh", "-c", detachedWrapper, name, base, given, ...command], { name, bash });
}
