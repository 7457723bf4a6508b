import type { PathUse, ProgramFacts } from "../../event/analysis.ts";
import type { FoundProgram } from "./programs.ts";
import type { Input } from "./code.ts";
import type { ParsedOptions } from "./parse-options.ts";
import type { ScriptEffects } from "./script/sed.ts";
import type { Words } from "../words/word-marks.ts";
import type { ShellText, Started } from "./starts.ts";

/** A command, taken apart by the record of its program. */
export interface Command extends FoundProgram {
  readonly input: Input;
  readonly parsed: ParsedOptions;
  /** The next operands from each on that can be the subcommand. */
  readonly verbs: readonly Words[];
  /** Its subcommand, where that has a record. */
  readonly sub: Command | undefined;
  readonly script: ScriptEffects | undefined;
  /** Its first operand ends its own words. */
  readonly strict: boolean;
  /** Some of its names stand in a list. */
  readonly isListed: boolean;
  /** Its words by the names that rules know, where these are others, see `inFull`. */
  readonly full: Words | undefined;
}

/** A marked word that a program takes for a path. */
export interface RawUse {
  readonly access: PathUse["access"];
  readonly marked: string;
}

/** What one command is, by the record of its program. */
export interface Inspection {
  readonly name: string;
  readonly facts: ProgramFacts;
  readonly uses: readonly RawUse[];
  readonly started: readonly Started[];
  readonly texts: readonly ShellText[];
  /** It, taken apart; absent where its program is not known. */
  readonly command?: Command | undefined;
}
