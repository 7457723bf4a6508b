import { quote } from "../quote.ts";
import { STATUS_FUNCTION } from "./own-names.ts";
import type { ShellOrder } from "./persistence.ts";

/** How a dialect reaches its own commands, whatever functions and aliases stand before them. */
export interface Reach {
  readonly cd: string;
  /** Lines that keep what a variable is, and give it a value for one command; they fail where it cannot have that. */
  readonly put: (own: OwnVariable) => readonly string[];
  /** Lines that make it what it was. No word of a line may be one that a shell looks for unquoted: it could be an alias. */
  readonly takeBack: (own: OwnVariable) => readonly string[];
}

/** A variable that one command has for itself. */
export interface OwnVariable {
  readonly name: string;
  /** Quoted. */
  readonly value: string;
  /** The how many-th of them it is. */
  readonly i: number;
  /** What the shell exports, as it told last. */
  readonly exports: string;
}

/**
 * What a command gets for itself, and how that is undone: two lines that every shell of the Bourne
 * family reads, the first of which fails where the command must not run.
 */
export function surroundings(order: ShellOrder, reach: Reach): readonly [string, string] {
  const { from, cwd, returns, overrides, exports } = order;
  const before: string[] = [];
  const after: string[] = [];
  for (const [i, [name, value]] of Object.entries(overrides).entries()) {
    const own = { name, value: quote(value), i, exports };
    before.push(...reach.put(own));
    after.push(...reach.takeBack(own));
  }
  if (cwd !== undefined) {
    if (returns) {
      const here = from === undefined ? "$PWD" : quote(from);
      before.push(`__sf_w=${here} __sf_p=\${OLDPWD-}`);
      after.push(`${reach.cd} "$__sf_w"`, "OLDPWD=$__sf_p");
    }
    before.push(`${reach.cd} ${quote(cwd)}`);
  }
  return [before.join(" && "), after.join("; ")];
}

/** What any shell can keep of a variable: its value, and whether it is exported. */
export function keptValue(exporting: string, unsetting: string): Pick<Reach, "put" | "takeBack"> {
  return {
    put: ({ name, value, i }) => [
      `__sf_v${i}=\${${name}-} __sf_s${i}=\${${name}+x}`,
      `${exporting} ${name}=${value}`,
    ],
    takeBack: ({ name, i, exports }) => [
      `${unsetting} ${name}`,
      `\\eval "\${__sf_s${i}:+${name}=\\$__sf_v${i}}"`,
      ...(isExported(name, exports) ? [`\\eval "\${__sf_s${i}:+\\${exporting} ${name}}"`] : []),
    ],
  };
}

/** Whether a list of exports, in the language of any of these shells, has a name. */
function isExported(name: string, exports: string): boolean {
  return new RegExp(`^(?:export|declare|typeset) (?:-\\S+ )*${name}(?:=|$)`, "m").test(exports);
}

/** What makes `$?` of the last command visible to the next. */
export function statusOf(status: number, returns: string): string {
  return status === 0 ? "" : `${STATUS_FUNCTION}() { ${returns} ${status}; }; ${STATUS_FUNCTION}`;
}
