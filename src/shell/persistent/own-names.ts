/** The variable that marks the processes of a command, for whoever looks for them. */
export const MARK = "SHELLFLOW_MARK";

/** They change with every shell or every command, and change nothing that runs. */
export const OWN: ReadonlySet<string> = new Set([MARK, "PWD", "OLDPWD", "SHLVL", "_"]);
