import { MARK } from "../../../platform/process/mark.ts";
import { quote } from "../../quote.ts";
import { directoryLines, withChannels, withOverrides } from "../order-lines.ts";
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
    return fields.map((field) => `${field}\0`).join("");
  },
  restore: ({ cwd, exports }) =>
    [
      `${CD} ${quote(cwd)}`,
      ...exports.split("\n").filter((line) => !NOT_RESTORED.test(line)),
    ].join("\n"),
  read: readBashReport,
};
