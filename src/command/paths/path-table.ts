import { options, type OptionSpec } from "../options.ts";

/** What a program does with its operands. */
type Operands =
  | "read"
  | "write"
  | "none"
  /** All but the last are read, the last is written. */
  | "copy"
  /** All are written, as the sources go away. */
  | "move"
  /** The first is read, the second written. */
  | "filter"
  /** The first is read, the last written or taken from. */
  | "find"
  /** `name=value` words. */
  | "dd"
  /** The last is written. */
  | "last";

/** Which paths a program touches. */
export interface PathTable {
  readonly spec: OptionSpec;
  readonly operands: Operands;
  /** Leading operands that are no paths, unless one of `unless` was given. */
  readonly skip?: number;
  readonly unless?: readonly string[];
  /** Options whose value is a path that is read. */
  readonly reads?: readonly string[];
  /** Options whose value is a path that is written. */
  readonly writes?: readonly string[];
  /** Options that make the operands written instead of read. */
  readonly writing?: readonly string[];
  /** Options that name the directory which all operands go to. */
  readonly target?: readonly string[];
  /** An option whose value is the suffix of a copy that is kept beside. */
  readonly backup?: string;
}

/** The same table for each of the names, which blanks separate. */
export function table(
  names: string,
  spec: string,
  rest: Omit<PathTable, "spec">,
): [string, PathTable][] {
  const entry = { spec: options(spec), ...rest };
  return names.split(" ").map((name) => [name, entry]);
}
