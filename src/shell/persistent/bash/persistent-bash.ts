import { MARK } from "../../../platform/process/mark.ts";
import type { ShellLines } from "../on-terminal.ts";
import { directoryLines, restoring, withChannels, withOverrides } from "../order-lines.ts";
import type { PersistentDialect, ShellOrder } from "../persistent-dialect.ts";
import { bashLoop } from "./bash-loop.ts";
import { readBashReport } from "./bash-report.ts";
import { bashOnTerminal } from "./terminal-bash.ts";

const CD = "\\builtin cd --";

const NOT_RESTORED = new RegExp(
  `^declare -\\S+ (?:PWD|SHLVL|BASH_EXECUTION_STRING|PROMPT_COMMAND|${MARK}|__sf_\\w+)\\b`,
);

/** A persistent bash. */
export const persistentBash: PersistentDialect = {
  start: (channels) => [
    "--noprofile",
    "--norc",
    "-c",
    withChannels(bashLoop, channels),
    "bash",
  ],
  order: (order, more) => {
    const lines = linesOf(order);
    return orderText(order, more === undefined ? lines : bashOnTerminal.lines(lines, more));
  },
  terminal: {
    args: () => ["--noprofile", "--norc", "--noediting", "-i"],
    variables: (channels) => bashOnTerminal.variables(withChannels(bashLoop, channels)),
    setUp: bashOnTerminal.setUp,
  },
  restore: (from) => restoring(from, { cd: CD, skip: NOT_RESTORED }),
  read: readBashReport,
};

function orderText(
  { number, reports, output, mark, code }: ShellOrder,
  { before, command, after, begun = "" }: ShellLines,
): string {
  const fields = [number, reports, output, mark, code, before, command, after, begun];
  return `${fields.join("\0")}\0`;
}

function linesOf(order: ShellOrder): ShellLines {
  const { before, after } = directoryLines(order, CD);
  const own = Object.keys(order.overrides);
  const checks = own.length === 0 ? [] : [
    // Bash would run the command with the value of a readonly variable.
    ...own.map((name) => `[[ \${${name}+\${${name}@a}} != *r* ]]`),
    // Only `eval` itself takes variables, which posix mode would leave behind.
    "[[ ! -o posix ]]",
    "! \\builtin declare -F eval",
  ];
  return {
    before: [...checks, ...(before === "" ? [] : [before])].join(" && "),
    command: withOverrides(order, "\\eval --"),
    after,
  };
}
