import type { SimpleCommand } from "../../event/command.ts";
import type { Words } from "../words.ts";

/** A reason to ask although a rule covers the command. */
export interface Danger {
  /** What a policy accepts it by. */
  readonly name: string;
  readonly reason: string;
  /**
   * A rule that spells out at least this many words covers it after all; `"exact"`: only a rule without
   * wildcards does; absent: no rule does.
   */
  readonly unless?: number | "exact";
}

/** The words of a command, its program by its plain name. */
export interface Inspected {
  readonly name: string;
  readonly args: Words;
  readonly command: SimpleCommand;
}

/** Looks for dangers of one kind. */
export type Detector = (inspected: Inspected) => readonly Danger[];
