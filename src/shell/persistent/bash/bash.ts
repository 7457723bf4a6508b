import { quote } from "../../quote.ts";
import { takingOver } from "../exit-trap.ts";
import { MARK } from "../../../platform/process/mark.ts";
import type { Persistence, ShellOrder } from "../persistence.ts";
import { type Reach, statusOf, surroundings } from "../surroundings.ts";
import { AT_EXIT, driver } from "./driver.ts";
import { isPlainLine } from "./plain-line.ts";
import { read } from "./report.ts";

const REACH: Reach = {
  cd: "\\builtin cd --",
  // An array takes no value for the environment, a number not every one, and a reference passes it on.
  put: ({ name, value, i }) => [
    `__sf_v[${i}]=`,
    `\\builtin test ! -R ${name} || __sf_v[${i}]="\\\\builtin declare -n ${name}=\${!${name}-}"`,
    `\\builtin unset -n ${name}`,
    `__sf_v[${i}]=\${__sf_v[${i}]:-\${${name}[@]@A}}`,
    `\\builtin unset -v ${name}`,
    `\\builtin export ${name}=${value}`,
  ],
  takeBack: ({ name, i }) => [
    `\\builtin unset -v ${name}`,
    `\\builtin eval "\${__sf_v[${i}]-}"`,
  ],
};

function order(order: ShellOrder): string {
  const { number, report, output, mark, command, status, exitTrap, flag } = order;
  const [before, after] = surroundings(order, REACH);
  const putBack = `\\builtin trap ${quote(AT_EXIT)} EXIT`;
  const fields = [
    report,
    output,
    mark,
    takingOver(exitTrap, { putBack, before }),
    statusOf(status, "\\builtin return"),
    command,
    after,
    number,
    flag ?? "",
  ];
  return fields.map((field) => `${field}\0`).join("");
}

/** All but what the C library loads from beside itself, for names of users and sets of characters. */
function modules(objects: readonly string[], first: readonly string[]): readonly string[] {
  if (objects === first) return [];
  const own = first.find((path) => /\/libc\b[^/]*$/.test(path))?.replace(/[^/]*$/, "");
  const isOwn = (path: string) => own !== undefined && path.startsWith(own);
  return objects.filter((path) => !first.includes(path) && !isOwn(path));
}

const NOT_RESTORED = new RegExp(`^declare -\\S+ (?:PWD|SHLVL|${MARK}|__sf_\\w+)\\b`);

/** How bash is kept alive. */
export const persistentBash: Persistence = {
  start: (channels) => ["--noprofile", "--norc", "-c", driver(channels), "bash"],
  order,
  isPlain: isPlainLine,
  restore: (exports) =>
    exports.split("\n").filter((line) => !NOT_RESTORED.test(line)).join("\n") || ":",
  modules,
  lostByRebirth: ["options", "traps", "jobs"],
  read,
};
