import type { DialectName } from "../../event/command.ts";
import { persistentBash } from "./bash/persistent-bash.ts";
import { persistentFish } from "./fish/persistent-fish.ts";
import type { PersistentDialect } from "./persistent-dialect.ts";
import { persistentPosix } from "./posix/persistent-posix.ts";
import { persistentZsh } from "./zsh/persistent-zsh.ts";

/** How shells of each dialect are kept for many commands, or why they cannot be. */
export const persistentDialects: Readonly<Record<DialectName, PersistentDialect | string>> = {
  bash: persistentBash,
  zsh: persistentZsh,
  posix: persistentPosix,
  fish: persistentFish,
  powershell: "PowerShell is not kept for many commands",
};
