import { onTerminal, type ShellLines } from "../on-terminal.ts";
import type { InteractiveOrder } from "../persistent-dialect.ts";

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
    lines: ShellLines,
    { interrupt = "trap - INT", terminal }: InteractiveOrder,
  ): ShellLines => {
    const trap = `\\builtin ${interrupt}`;
    if (terminal === undefined) return { ...lines, begun: trap };
    return onTerminal(lines, terminal, {
      trap,
      jobs: "\\builtin jobs -n",
      // A command may have replaced the variable, and made it readonly.
      last: `PROMPT_COMMAND='${BEGINS_AGAIN}'`,
    });
  },
};
