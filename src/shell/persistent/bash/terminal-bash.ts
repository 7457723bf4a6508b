import { quote } from "../../quote.ts";
import type { InteractiveOrder, TerminalOrder } from "../persistent-dialect.ts";

/** What an order runs, each part a line of bash or empty. */
export interface BashLines {
  readonly before: string;
  readonly command: string;
  readonly after: string;
  /** Once the command cannot be taken back. */
  readonly begun?: string;
}

/** Where Ctrl-C or an error has led out of the loop, it begins again. */
const BEGINS_AGAIN = '\\builtin eval "$BASH_EXECUTION_STRING"';

/** How an interactive bash runs the loop, and its commands on its terminal. */
export const bashOnTerminal = {
  /** The variable has the name that `bash -c` gives to the text it runs. */
  variables: (loop: string): Readonly<Record<string, string>> => ({
    BASH_EXECUTION_STRING: loop,
    PROMPT_COMMAND: BEGINS_AGAIN,
    // The history of the person is neither read nor written.
    HISTFILE: "",
  }),
  setUp: "\\builtin declare +x BASH_EXECUTION_STRING PROMPT_COMMAND HISTFILE",
  lines: (
    lines: BashLines,
    { interrupt = "trap - INT", terminal }: InteractiveOrder,
  ): BashLines => {
    const trap = `\\builtin ${interrupt}`;
    return terminal === undefined ? { ...lines, begun: trap } : onTerminal(lines, terminal, trap);
  },
};

function onTerminal(
  { before, command, after }: BashLines,
  { device, marks, cleared }: TerminalOrder,
  trap: string,
): BashLines {
  const path = quote(device);
  const print = (mark: string) => `\\builtin printf %s ${quote(mark)} >${path}`;
  return {
    before: [
      ...(before === "" ? [] : [before]),
      ...(cleared ? [`{ ${CLEAR}; } <>${path} >/dev/null 2>&1`] : []),
      // What a prompt would report: jobs that have ended.
      "{ \\builtin jobs -n; [[ 1 ]]; }",
    ].join(" && "),
    begun: [trap, print(marks.begin)].join("; "),
    command: `\\builtin eval -- ${quote(command)} <>${path} >&0 2>&0`,
    // A command may have replaced the variable, and made it readonly.
    after: [
      ...(after === "" ? [] : [after]),
      print(marks.end),
      `PROMPT_COMMAND=${quote(BEGINS_AGAIN)}`,
    ].join("; "),
  };
}

/** Without a shell that knows what its next reader gets, the session gets another one. */
const CLEAR = ["stty -icanon min 0 time 0", "cat", "stty sane"]
  .map((line) => `\\builtin command -p ${line}`).join(" && ") + " || \\builtin kill -KILL $$";
