import { from, type Observable } from "rxjs";
import type {
  Analysis,
  CommandAdmitted,
  CommandParsed,
  CommandRejected,
  Order,
} from "../event/command.ts";
import { shown } from "../event/shown.ts";
import type { Grammar, TextParser } from "../platform/grammar.ts";
import { type Stage, stage } from "../stream/stage.ts";
import { analyse, type AnalysisLimits } from "./analyse.ts";
import type { AnalysisFacts } from "./facts.ts";
import { KnownAnalyses } from "./known-analyses.ts";

/** What the parse stage needs. */
export interface ParseOptions {
  readonly grammar: Grammar;
  /** What `~` stands for; absent: every path below it is unknown. */
  readonly home?: string;
  readonly limits?: AnalysisLimits;
}

/**
 * Tell what each admitted command would run, or reject what cannot be a command.
 *
 * At once when the grammar is loaded. When it cannot be loaded nothing is known of any command: it is
 * rejected, and the next one tries to load the grammar again.
 *
 * @returns A stage from `command.admitted` to `command.parsed` or `command.rejected`.
 */
export function parse(
  options: ParseOptions,
): Stage<CommandAdmitted, CommandParsed | CommandRejected> {
  const { grammar } = options;
  const known = new KnownAnalyses();
  return stage(
    "command.admitted",
    (event: CommandAdmitted): Observable<CommandParsed | CommandRejected> | [
      CommandParsed | CommandRejected,
    ] => {
      const { commandId, order } = event;
      const reason = unusable(order.command);
      if (reason !== undefined) return [{ type: "command.rejected", commandId, reason }];
      if (grammar.loaded !== undefined) {
        return [parsed(event, { ...options, parser: grammar.loaded, known })];
      }
      return from(
        grammar.warm().then(
          (parser) => parsed(event, { ...options, parser, known }),
          (cause: unknown): CommandRejected => ({
            type: "command.rejected",
            commandId,
            reason: `Cannot analyse "${shown(order.command)}": ${
              cause instanceof Error ? cause.message : String(cause)
            }`,
          }),
        ),
      );
    },
  );
}

interface ParsingOptions extends ParseOptions {
  readonly parser: TextParser;
  readonly known: KnownAnalyses;
}

function parsed(
  { commandId, order }: CommandAdmitted,
  { home, limits, parser, known }: ParsingOptions,
): CommandParsed {
  const facts: AnalysisFacts = {
    cwd: order.cwd,
    ...(home !== undefined && { home }),
    ...(order.state !== undefined && { state: order.state }),
  };
  const analysis = known.get(order) ?? analyse(order.command, facts, {
    parser,
    ...(limits !== undefined && { limits }),
  });
  known.add(order, analysis);
  return { type: "command.parsed", commandId, order, analysis: believed(analysis, order) };
}

/**
 * What is known of a line in a language that is not analysed: it is read as bash all the same, so
 * that what is denied may be found, but never believed.
 */
function believed(analysis: Analysis, { dialect, command }: Order): Analysis {
  if (dialect === "bash") return analysis;
  const reason = `it is a line for ${dialect}, and only those for bash are analysed`;
  return { ...analysis, certainty: "opaque", reason, span: { start: 0, end: command.length } };
}

function unusable(command: string): string | undefined {
  if (command.trim() === "") return `Cannot run "${shown(command)}": it is empty`;
  if (command.includes("\0")) return `Cannot run "${shown(command)}": it has a NUL character`;
  return undefined;
}
