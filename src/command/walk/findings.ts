import type { ParsedScript } from "unbash";
import type { Lines } from "../program/output/output-lines.ts";
import type { Doubt } from "../syntax.ts";
import type { PathUse, SimpleCommand, VariableSet } from "../../event/analysis.ts";
import type { AnalysisFacts } from "../facts.ts";
import type { Inspection } from "../program/taken-apart.ts";
import type { After } from "./walk-state.ts";
import type { Programs } from "../program/programs.ts";
import type { Choices } from "../words/placeholders.ts";

/** What a walk over a line gathers. */
export interface Findings {
  readonly commands: SimpleCommand[];
  readonly uses: PathUse[];
  readonly sets: VariableSet[];
  readonly doubts: Doubt[];
  /** Texts in it that a shell reads. */
  readonly texts: Set<string>;
}

/** What all walks over one line and the texts in it share. */
export interface Context {
  readonly facts: AnalysisFacts;
  readonly programs: Programs;
  readonly choices: Choices;
  readonly findings: Findings;
  /** What was found about commands, by all that it depends on: loops are walked in rounds. */
  readonly inspections: Map<string, Inspection>;
  /** The index of each command that was found, by all that tells it from others. */
  readonly seen: Map<string, number>;
  /** Some text of the line would run a program if it were evaluated, so no output counts as a number. */
  distrusts: boolean;
  /** How many loops and jobs in the background surround what is walked: what follows it may be done before. */
  repeats: number;
  /** How substitutions end, as they were walked last. */
  readonly outputs: Map<ParsedScript, After>;
  /** What the process that is walked has printed wherever it can end early; `undefined`: any text. */
  early: Lines | undefined;
  /** What a process prints that the shell cannot start, where the line can bring that about. */
  leastPrinted: Lines;
  /** A command that fails, or a variable that is not set, can end a process. */
  breaksOff: boolean;
  /** Where the shell went to without running anything there yet. */
  readonly moves: Set<PathUse>;
  /** Where a process of its own went, and ended without running anything there. */
  readonly idle: Set<PathUse>;
  /** The bodies of functions that the line was seen to call. */
  readonly called: Set<object>;
  /** Functions are exported, so that other shells can call them. */
  exports: boolean;
  /** The texts that the line has written into files, by their paths. */
  readonly scripts: Map<string, Set<string>>;
  /** How many statements and commands have been walked, however often each. */
  count: number;
}

/** More commands than any honest line runs; what lies beyond is not looked at. */
export const MOST_COMMANDS = 2_000;
