import type { SimpleCommand } from "../../event/command.ts";

/** What a statement inherits from the constructs around it. */
export interface Inherited {
  readonly input?: SimpleCommand["input"];
  readonly fedBy?: readonly (string | null)[];
  /** The text that comes in, if it is known: `null` if not, absent if none. */
  readonly text?: string | null;
}
