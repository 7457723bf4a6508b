import type { SimpleCommand, Span, VariableSet } from "../../event/command.ts";
import type { Doubt } from "../doubt.ts";
import type { Script } from "../unwrap/scripts.ts";

/** A use of a path, before its text is known to be a path. */
export interface FoundUse {
  readonly access: "read" | "write";
  /** `null`: known only at run time. */
  readonly path: string | null;
  readonly span: Span;
  readonly by?: string;
}

/** Text that a command of the line hands to a shell. */
export interface FoundScript extends Script {
  readonly span: Span;
  /** Where that shell stands, as far as it is known. */
  readonly cwd: string | undefined;
}

/** What a walk over the tree gathers. */
export interface Findings {
  readonly commands: SimpleCommand[];
  readonly uses: FoundUse[];
  readonly sets: VariableSet[];
  readonly scripts: FoundScript[];
  readonly doubts: Doubt[];
}

/** Findings without anything in them. */
export function noFindings(): Findings {
  return { commands: [], uses: [], sets: [], scripts: [], doubts: [] };
}
