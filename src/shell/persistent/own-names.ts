import { MARK } from "../../platform/process/mark.ts";

/** They change with every shell or every command, and change nothing that runs. */
export const OWN: ReadonlySet<string> = new Set([MARK, "PWD", "OLDPWD", "SHLVL", "_"]);
