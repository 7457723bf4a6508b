import type { DialectName } from "../event/command.ts";
import { quote } from "./quote.ts";

/** How a shell of some dialect is started, and what must not be in its environment. */
export interface Dialect {
  readonly name: DialectName;
  /** The program, as it is looked for. */
  readonly program: string;
  /** The arguments with which a fresh shell runs one command line and ends. */
  readonly run: (command: string) => readonly string[];
  /** A word that it reads as exactly this text. */
  readonly quote: (text: string) => string;
  /**
   * Variables that make a fresh shell run or read something beside the line it is given, or read
   * the line in another way. `*` at the end stands for any rest.
   */
  readonly dangerousVariables: readonly string[];
}

/** The `$0` of a line. */
export const SHELL_NAME = "bash";

/**
 * Bash, without the files that it reads at its start.
 *
 * Of the variables, `BASH_ENV` (and `ENV`, as sh) name a file that is run first, `BASH_FUNC_*`
 * define functions that shadow programs, `SHELLOPTS` and `BASHOPTS` switch options on, `PS4` and
 * `PROMPT_COMMAND` are expanded and run by tracing and by prompts; `CDPATH` and `OLDPWD`,
 * `GLOBIGNORE`, `EXECIGNORE`, `BASH_COMPAT` and `POSIXLY_CORRECT` change what `cd`, patterns, program
 * names and the grammar mean. See "Bash Variables" in the reference manual of bash.
 */
export const bash: Dialect = {
  name: "bash",
  program: "bash",
  // A line may begin as an option does. Its `$0` is no path, so that its directory is where it runs.
  run: (command) => ["--noprofile", "--norc", "-c", "--", command, SHELL_NAME],
  quote,
  dangerousVariables: [
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_*",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "CDPATH",
    "OLDPWD",
    "GLOBIGNORE",
    "EXECIGNORE",
    "BASH_COMPAT",
    "POSIXLY_CORRECT",
  ],
};
