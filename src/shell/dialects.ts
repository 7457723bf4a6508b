import type { DialectName } from "../event/command.ts";
import { bash, type Dialect } from "./bash.ts";
import { powershell } from "./powershell.ts";
import { quote } from "./quote.ts";

/**
 * Zsh, without the files that it reads at its start but `/etc/zshenv`, which nothing keeps it from.
 *
 * See "Parameters Used By The Shell" in zshparam(1).
 */
const zsh: Dialect = {
  name: "zsh",
  program: "zsh",
  run: (command) => ["-f", "-c", "--", command],
  quote,
  dangerousVariables: [
    "ENV",
    "ZDOTDIR",
    "FPATH",
    "MODULE_PATH",
    "NULLCMD",
    "READNULLCMD",
    "PS4",
    "PROMPT*",
    "CDPATH",
    "KEYBOARD_HACK",
    "POSIXLY_CORRECT",
  ],
};

/** Any sh: dash, BusyBox, ksh, or bash by that name, whose variables count as well. */
const posix: Dialect = {
  name: "posix",
  program: "/bin/sh",
  run: (command) => ["-c", "--", command],
  quote,
  dangerousVariables: bash.dangerousVariables,
};

/** Fish, without its configuration. Between its quotes `\\` stands before itself and before a quote. */
const fish: Dialect = {
  name: "fish",
  program: "fish",
  run: (command) => ["--no-config", "-c", command],
  quote: (text) => `'${text.replaceAll(/[\\']/g, "\\$&")}'`,
  dangerousVariables: ["fish_*", "CDPATH"],
};

/** How a fresh shell of each dialect runs a line. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  bash,
  zsh,
  posix,
  fish,
  powershell,
};
