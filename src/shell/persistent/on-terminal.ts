import { quote } from "../quote.ts";
import type { TerminalOrder } from "./persistent-dialect.ts";

/** What an order runs, each part a line of the shell or empty. */
export interface ShellLines {
  readonly before: string;
  readonly command: string;
  readonly after: string;
  /** Once the command cannot be taken back. */
  readonly begun?: string;
}

/** How a dialect runs a command on the terminal of its shell. */
export interface OnTerminalOptions {
  /** What sets the trap on INT that is ignored between commands. */
  readonly trap: string;
  /** What a prompt would report: jobs that have ended. */
  readonly jobs: string;
  /** What runs at the very end. */
  readonly last?: string;
}

/** The lines of a command that has the terminal of its shell, behind its mark. */
export function onTerminal(
  { before, command, after }: ShellLines,
  { device, mark, cleared }: TerminalOrder,
  { trap, jobs, last }: OnTerminalOptions,
): ShellLines {
  const path = quote(device);
  return {
    before: [
      ...(before === "" ? [] : [before]),
      ...(cleared ? [`{ ${CLEAR}; } <>${path} >/dev/null 2>&1`] : []),
      `{ ${jobs}; [[ 1 == 1 ]]; }`,
    ].join(" && "),
    begun: `${trap}; \\builtin printf %s ${quote(mark)} >${path}`,
    command: `\\builtin eval -- ${quote(command)} <>${path} >&0 2>&0`,
    after: [...(after === "" ? [] : [after]), ...(last === undefined ? [] : [last])].join("; "),
  };
}

/** Without a shell that knows what its next reader gets, the session gets another one. */
const CLEAR = ["stty -icanon min 0 time 0", "cat", "stty sane"]
  .map((line) => `\\builtin command -p ${line}`).join(" && ") + " || \\builtin kill -KILL $$";
