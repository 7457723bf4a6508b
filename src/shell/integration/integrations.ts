import type { DialectName } from "../../event/command.ts";
import { dialects } from "../dialects.ts";
import { quote } from "../quote.ts";
import { bashIntegration } from "./bash-integration.ts";
import { fishIntegration } from "./fish-integration.ts";
import { powershellIntegration } from "./powershell-integration.ts";
import { zshEnvironment } from "./zsh-environment.ts";
import { zshIntegration } from "./zsh-integration.ts";

/** How an interactive shell is started so that it prints marks. */
export interface Integration {
  /** What it reads at its start, by the names of files in a directory that it alone is to read. */
  readonly files: Readonly<Record<string, string>>;
  readonly args: (directory: string) => readonly string[];
  readonly env: (directory: string) => Readonly<Record<string, string>>;
}

/** What goes into the files. */
export interface IntegrationOptions {
  /** What its marks end in, and no other output does. */
  readonly nonce: string;
  /** The directory with the person's own files, where a zsh is to read these as well. */
  readonly home?: string;
}

/** The integration of a dialect; `undefined` when there is none, as for a plain sh. */
export function integrationOf(
  dialect: DialectName,
  { nonce, home = "" }: IntegrationOptions,
): Integration | undefined {
  const fill = (text: string) =>
    `${text.replaceAll("@nonce@", nonce).replaceAll("@home@", home === "" ? "" : quote(home))}\n`;
  switch (dialect) {
    case "bash":
      return {
        files: { bashrc: fill(bashIntegration) },
        args: (directory) => ["--noprofile", "--rcfile", `${directory}/bashrc`, "-i"],
        env: () => ({}),
      };
    case "zsh":
      return {
        files: { ".zshenv": fill(zshEnvironment), ".zshrc": fill(zshIntegration) },
        args: () => ["-i"],
        env: (directory) => ({ ZDOTDIR: directory }),
      };
    case "fish":
      return {
        files: { "integration.fish": fill(fishIntegration) },
        args: (directory) => [
          "--no-config",
          "--init-command",
          `source ${dialects.fish.quote(`${directory}/integration.fish`)}`,
          "--interactive",
        ],
        env: () => ({}),
      };
    case "powershell":
      return {
        files: { "integration.ps1": fill(powershellIntegration) },
        args: (directory) => [
          "-NoLogo",
          "-NoProfile",
          "-NoExit",
          "-Command",
          `. ${dialects.powershell.quote(`${directory}/integration.ps1`)}`,
        ],
        env: () => ({}),
      };
    case "posix":
      return undefined;
  }
}
