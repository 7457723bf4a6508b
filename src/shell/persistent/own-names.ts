import { MARK } from "../../platform/process/mark.ts";

/** Whether only drivers have variables of this name; others that begin like it are a command's. */
export function isDriverVariable(name: string): boolean {
  return /^__sf_(?:[a-z]\d*|rcx?)$/.test(name);
}

/** The function with which a driver sets `$?`. */
export const STATUS_FUNCTION = "__sf_q";

/** They change with every shell or every command, and change nothing that runs. */
export const OWN: ReadonlySet<string> = new Set([MARK, "PWD", "OLDPWD", "SHLVL", "_"]);
