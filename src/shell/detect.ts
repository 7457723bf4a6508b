import type { DialectName } from "../event/command.ts";

/** What shows which shell a person uses. */
export interface ShellFacts {
  readonly windows: boolean;
  /** The variable SHELL. */
  readonly shell?: string;
  /** The program that started this process; asked for where there is no SHELL. */
  readonly parent?: string;
  /** Where a program is; `undefined` when there is none that may be run. */
  readonly find: (program: string) => string | undefined;
}

/** The shell to use, and where it is. */
export interface DetectedShell {
  readonly dialect: DialectName;
  readonly file: string;
}

/**
 * Find the shell of the person who uses this machine: the one that is set or that this was started
 * from, if it can run a line that is handed to it in a dialect known here, or else the one that every
 * system has. That is `/bin/sh`, and on Windows PowerShell, as nothing here speaks to cmd.exe.
 */
export function detectShell(
  { windows, shell, parent, find }: ShellFacts,
): DetectedShell | undefined {
  const candidates = windows ? [shell, parent, "pwsh", "powershell"] : [shell, "/bin/sh"];
  for (const candidate of candidates) {
    const dialect = candidate === undefined ? undefined : dialectOf(candidate);
    const file = candidate === undefined || dialect === undefined ? undefined : find(candidate);
    if (dialect !== undefined && file !== undefined) return { dialect, file };
  }
  return undefined;
}

/** The dialect of a shell by its name; `undefined` for those that cannot serve, such as nu, csh or a restricted one. */
export function dialectOf(program: string): DialectName | undefined {
  const name = program.replace(/^.*[\\/]/, "").toLowerCase().replace(/\.exe$/, "");
  return NAMES.get(name.replace(/-?\d[\d.]*$/, ""));
}

const NAMES: ReadonlyMap<string, DialectName> = new Map([
  ["bash", "bash"],
  ["zsh", "zsh"],
  ["sh", "posix"],
  ["dash", "posix"],
  ["ash", "posix"],
  ["ksh", "posix"],
  ["mksh", "posix"],
  ["yash", "posix"],
  ["fish", "fish"],
  ["pwsh", "powershell"],
  ["powershell", "powershell"],
]);
