import type { PathUse } from "../../event/command.ts";

/** A marked word that a program takes for a path. */
export interface RawUse {
  readonly access: PathUse["access"];
  readonly marked: string;
}
