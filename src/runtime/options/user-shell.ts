import { defined } from "../../value/defined.ts";
import type { ShellProgram } from "../../env/construct.ts";
import type { DialectName, Origin } from "../../event/command.ts";
import { findProgram } from "../../platform/environment/find-program.ts";
import { onWindows, parentProgram } from "../../platform/environment/environment.ts";
import { bash } from "../../shell/bash.ts";
import { detectShell } from "../../shell/detect.ts";
import { powershell } from "../../shell/powershell.ts";
import { dialects } from "../../shell/dialects.ts";

/**
 * Find the shell of the person who uses this machine, for what that person asks for; the model's
 * lines, which are judged by what they say, are always bash. It is found once: a shell that is
 * changed later is for the next runtime.
 */
export function userShell(base: Readonly<Record<string, string>>): {
  readonly dialectOf: (origin: Origin) => DialectName;
  /** The shell of the person, where that is no bash. */
  readonly otherShell?: ShellProgram;
} {
  const windows = onWindows();
  const { SHELL: shell, PATH = "" } = base;
  const parent = windows && shell === undefined ? parentProgram() : undefined;
  const found = detectShell({
    windows,
    find: (program) => findProgram(program, PATH),
    ...defined({ shell, parent }),
  });
  if (found === undefined || found.dialect === bash.name) return { dialectOf: () => bash.name };
  const { dialect, file } = found;
  return {
    dialectOf: (origin) => origin === "user" ? dialect : bash.name,
    otherShell: { dialect: dialects[dialect], file },
  };
}

/** PowerShell, for lines that say that they are for it. */
export function powershellProgram(
  { PATH = "" }: Readonly<Record<string, string>>,
): ShellProgram | undefined {
  const file = findProgram(powershell.program, PATH) ?? findProgram("powershell", PATH);
  return file === undefined ? undefined : { dialect: powershell, file };
}
