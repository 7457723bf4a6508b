import type { Came, Fate, LineOptions } from "./cell.ts";
import type { Tried } from "./tried-shells.ts";

/** A line for one shell; what is not said is as a fresh shell of that kind does it, and nothing is lost. */
export interface Cell extends LineOptions {
  readonly line: string;
  /** It leaves the shell deaf to what asks it to end, so that it is not given long. */
  readonly stubborn?: boolean;
  /** What it prints, in place of what a fresh shell would. */
  readonly output?: string | RegExp;
  /** Its code, or how it ends without one, in place of what a fresh shell would give. */
  readonly end?: Came["end"];
  readonly fate?: Fate;
  /** What the lines after it print and give, where that is not as usual. */
  readonly next?: string;
}

/** One way to confuse a shell: a cell for each shell, or why there is none. */
export type Row = { readonly name: string } & Readonly<Record<Tried, Cell | string>>;

/** A row with the same line in all shells. */
export function same(
  name: string,
  cell: Cell,
  differs: Partial<Record<Tried, Partial<Cell> | string>> = {},
): Row {
  const of = (tried: Tried): Cell | string => {
    const own = differs[tried];
    return typeof own === "string" ? own : { ...cell, ...own };
  };
  return { name, bash: of("bash"), zsh: of("zsh"), dash: of("dash") };
}
