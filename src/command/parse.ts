import type { CommandAdmitted, CommandParsed, CommandRejected, Order } from "../event/command.ts";
import type { Analysis } from "../event/analysis.ts";
import { defined } from "../value/defined.ts";
import { shown } from "../value/shown.ts";
import { type Paths, systemPaths } from "../platform/file/paths.ts";
import { type Stage, stage } from "../stream/stage.ts";
import { SHELL_NAME } from "../shell/bash.ts";
import { analyse } from "./analyse.ts";
import type { AnalysisFacts } from "./facts.ts";
import type { Programs } from "./program/programs.ts";

/** What the parse stage needs. */
export interface ParseOptions {
  /** What `~` stands for; absent: every path below it is unknown. */
  readonly home?: string;
  /** What is known of programs; default: the built-in records. */
  readonly programs?: Programs;
  /** Where commands leave variables for later ones. */
  readonly envFile?: string;
  /** Default: this machine's. */
  readonly paths?: Paths;
}

/**
 * Analyse each admitted command, or reject what cannot be a command.
 *
 * @returns A stage from `command.admitted` to `command.parsed` or `command.rejected`.
 */
export function parse(
  options: ParseOptions = {},
): Stage<CommandAdmitted, CommandParsed | CommandRejected> {
  return stage(
    "command.admitted",
    ({ commandId, order }: CommandAdmitted): [CommandParsed | CommandRejected] => {
      const { command } = order;
      const why = command.includes("\0") ? "it has a NUL character" : "it is empty";
      if (command.trim() === "" || command.includes("\0")) {
        const reason = `Cannot run "${shown(command)}": ${why}`;
        return [{ type: "command.rejected", commandId, reason }];
      }
      return [{
        type: "command.parsed",
        commandId,
        order,
        analysis: analyseOrder(order, options),
      }];
    },
  );
}

/** Analyse a line where it is to run, with what is there now. */
export function analyseOrder(
  order: Order,
  { home, programs, envFile, paths = systemPaths }: ParseOptions,
): Analysis {
  const facts: AnalysisFacts = {
    cwd: order.cwd,
    self: SHELL_NAME,
    workTree: () => paths.workTree?.(order.cwd),
    place: (path) => paths.place?.(path),
    ...defined({ home, envFile, env: order.env?.names, state: order.state }),
  };
  return believed(analyse(order.command, facts, defined({ programs })), order);
}

/**
 * What is known of a line in a language that is not analysed: it is read as bash all the same, so
 * that what is denied is found, but never trusted.
 */
function believed(analysis: Analysis, { dialect, command }: Order): Analysis {
  if (dialect === "bash") return analysis;
  const reason = `it is a line for ${dialect}, and only those for bash are analysed`;
  return { ...analysis, certainty: "opaque", reason, span: { start: 0, end: command.length } };
}
