/** How PowerShell is started to run a line: what stands before the line. */
export const STARTS: readonly string[] = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command"];

/**
 * What PowerShell 7 says of its commands, taken down from its documentation (about_Pwsh,
 * about_Automatic_Variables, about_Quoting_Rules); there is no PowerShell here to ask.
 */
export const startAnswer = {
  line: "if ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }",
  /** `$?` and `$LASTEXITCODE` once a line is over, and what its caller is to hear. */
  codes: [
    { after: "Write-Output a", succeeded: true, lastCode: null, code: 0 },
    { after: "Get-Item /none", succeeded: false, lastCode: null, code: 1 },
    { after: "sh -c 'exit 3'", succeeded: false, lastCode: 3, code: 3 },
    { after: "sh -c 'exit 3'; Write-Output a", succeeded: true, lastCode: 3, code: 0 },
    { after: "sh -c 'exit 0'; Get-Item /none", succeeded: false, lastCode: 0, code: 1 },
  ],
  /** A text, and the verbatim string that is this text. */
  quotes: [
    ["", "''"],
    ["plain $HOME `n", "'plain $HOME `n'"],
    ["it's", "'it''s'"],
    ["\u2018a\u2019 \u201ab\u201b", "'\u2018\u2018a\u2019\u2019 \u201a\u201ab\u201b\u201b'"],
    ["two\nlines", "'two\nlines'"],
  ],
} as const;
