import type { DialectName } from "../../event/command.ts";
import { persistentBash } from "./bash/bash.ts";
import type { Persistence } from "./persistence.ts";
import { persistentPosix } from "./posix.ts";
import { persistentZsh } from "./zsh.ts";

const KEPT: Readonly<Record<DialectName, Persistence | string>> = {
  bash: persistentBash,
  zsh: persistentZsh,
  posix: persistentPosix,
  fish: "fish cannot say which output is a command's: its own messages ignore redirections",
  powershell: "PowerShell is not kept alive",
};

/** How shells of a dialect are kept alive, or why they cannot be. */
export function persistenceOf(dialect: DialectName): Persistence | string {
  return KEPT[dialect];
}
