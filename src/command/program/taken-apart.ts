import type { FoundProgram } from "./programs.ts";
import type { Input } from "./code.ts";
import type { ParsedOptions } from "./parse-options.ts";
import type { ScriptEffects } from "./script/sed.ts";

/** A command, taken apart by the record of its program. */
export interface Command extends FoundProgram {
  readonly input: Input;
  readonly parsed: ParsedOptions;
  /** Its subcommand, where that has a record. */
  readonly sub: Command | undefined;
  readonly script: ScriptEffects | undefined;
  /** Its first operand ends its own words. */
  readonly strict: boolean;
  /** Some of its names stand in a list. */
  readonly isListed: boolean;
  /** The word that a synonym or a short form of a subcommand stands for. */
  readonly full: string | undefined;
}
