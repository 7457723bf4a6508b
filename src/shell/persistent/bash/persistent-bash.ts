import { MARK } from "../../../platform/process/mark.ts";
import { directoryLines, restoring, withChannels, withOverrides } from "../order-lines.ts";
import type { PersistentDialect } from "../persistent-dialect.ts";
import { bashLoop } from "./bash-loop.ts";
import { readBashReport } from "./bash-report.ts";

const CD = "\\builtin cd --";

const NOT_RESTORED = new RegExp(`^declare -\\S+ (?:PWD|SHLVL|${MARK}|__sf_\\w+)\\b`);

/** A persistent bash. */
export const persistentBash: PersistentDialect = {
  start: (channels) => [
    "--noprofile",
    "--norc",
    "-c",
    withChannels(bashLoop, channels),
    "bash",
  ],
  order: (order) => {
    const { number, reports, output, input, mark, code, overrides } = order;
    const { before, after } = directoryLines(order, CD);
    const own = Object.keys(overrides);
    const checks = own.length === 0 ? [] : [
      // Bash would run the command with the value of a readonly variable.
      ...own.map((name) => `[[ \${${name}+\${${name}@a}} != *r* ]]`),
      // Only `eval` itself takes variables, which posix mode would leave behind.
      "[[ ! -o posix ]]",
      "! \\builtin declare -F eval",
    ];
    const fields = [
      number,
      reports,
      output,
      input,
      mark,
      code,
      [...checks, ...(before === "" ? [] : [before])].join(" && "),
      withOverrides(order, "\\eval --"),
      after,
    ];
    return `${fields.join("\0")}\0`;
  },
  restore: (from) => restoring(from, { cd: CD, skip: NOT_RESTORED }),
  read: readBashReport,
};
