import { onTerminal } from "../on-terminal.ts";
import type { InteractiveOrder } from "../persistent-dialect.ts";

/** The parts of an order by their letters. */
type Parts = Readonly<Record<string, string>>;

/**
 * What makes an order a file to source: it evaluates what runs before the command, or else the command.
 * The rest of the order is never read as lines, also where `return` is not what it was.
 */
const SOURCED = [
  '{ 0=zsh \\builtin \\eval -- "${__sf_a[${__sf_k/N/b}]}"; } always { TRY_BLOCK_ERROR=0; }; \\builtin \\return',
  '[[ -n "${__sf_dead:?}" ]]',
  "",
].join("\n");

/** How an interactive zsh runs the loop, and its commands on its terminal. */
export const zshOnTerminal = {
  // What has become of jobs is asked for, and an exit is not refused because of them.
  setUp: "\\builtin setopt no_notify no_check_jobs no_hup",
  parts: (
    parts: Parts,
    { interrupt = "\\builtin trap - INT", terminal }: InteractiveOrder,
  ): Parts => {
    const { b = "", c = "", z = "" } = parts;
    if (terminal === undefined) return { [SOURCED]: "", ...parts, g: interrupt };
    const { before, command, after, begun = "" } = onTerminal(
      { before: b, command: c, after: z },
      terminal,
      { trap: interrupt, jobs: "\\builtin jobs" },
    );
    return { [SOURCED]: "", ...parts, b: before, c: command, z: after, g: begun };
  },
};

/** What sets the trap on INT again, from a list of all traps; `undefined`: there is none. */
export function interruptOf(traps: string): string | undefined {
  const found = INTERRUPT.exec(traps)?.[0];
  return found?.startsWith("trap ") ? `\\builtin ${found}` : found;
}

/** A trap is a line, or a function. */
const INTERRUPT = /^(?:trap -- .+ INT|TRAPINT \(\) \{\n(?:.*\n)*?\})$/m;
