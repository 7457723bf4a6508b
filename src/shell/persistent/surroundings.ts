import { quote } from "../quote.ts";
import type { ShellOrder } from "./persistence.ts";

/** How a dialect reaches its own commands, whatever functions and aliases stand before them. */
export interface Reach {
  readonly export: string;
  readonly unset: string;
  readonly cd: string;
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
    before.push(
      `__sf_v${i}=\${${name}-} __sf_s${i}=\${${name}+x}`,
      `${reach.export} ${name}=${quote(value)}`,
    );
    after.push(
      `${reach.unset} ${name}`,
      `case \${__sf_s${i}-} in x) ${name}=$__sf_v${i};; esac`,
      ...(isExported(name, exports)
        ? [`case \${__sf_s${i}-} in x) ${reach.export} ${name};; esac`]
        : []),
    );
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

/** Whether a list of exports, in the language of any of these shells, has a name. */
function isExported(name: string, exports: string): boolean {
  return new RegExp(`^(?:export|declare|typeset) (?:-\\S+ )*${name}(?:=|$)`, "m").test(exports);
}

/** What makes `$?` of the last command visible to the next. */
export function statusOf(status: number, returns: string): string {
  return status === 0 ? "" : `__sf_q() { ${returns} ${status}; }; __sf_q`;
}
