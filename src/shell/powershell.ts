import type { Dialect } from "./bash.ts";

/**
 * Ends with the code of the last command. By itself PowerShell ends with 1 for every failure: `$?`
 * says that the last command failed, `$LASTEXITCODE` what the last program gave, which may have
 * been an earlier one. See about_Automatic_Variables and about_Pwsh.
 */
const END = "if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }";

/**
 * PowerShell, without its profiles. What ends its line stands on a line of its own, as the line may
 * end in a comment.
 */
export const powershell: Dialect = {
  name: "powershell",
  program: "pwsh",
  run: (command) => [
    "-NoLogo",
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    `${command}\n${END}`,
  ],
  // It takes typographic quotes for quotes, too.
  quote: (text) => `'${text.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`,
  dangerousVariables: [],
};
