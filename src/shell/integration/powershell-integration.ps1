# Lets PowerShell say in its output where prompts and commands begin and end, by OSC 633 of VS Code, as
# bash-integration.bash does. The host has it run by -NoExit -Command. $? says whether the last command
# failed, $LASTEXITCODE what the last program gave; both are gone once anything else runs.
#
# The command line is read by PSConsoleHostReadLine, which is where a command begins.

$Global:__sf_nonce = '@nonce@'
$Global:__sf_ran = $false
$Global:__sf_read = $function:PSConsoleHostReadLine
[Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)

function Global:__sf_mark([string]$text) {
  [Console]::Write("$([char]27)]633;$text;$Global:__sf_nonce$([char]7)")
}

function Global:__sf_escape([string]$value) {
  [regex]::Replace($value, '[\\\n;\x07\x1b\r\t]', { param($found) if ($found.Value -eq '\') { '\\' } else { '\x{0:x2}' -f [int][char]$found.Value } })
}

function Global:prompt {
  $failed = -not $?
  $code = if (-not $failed) { 0 } elseif ($Global:LASTEXITCODE) { $Global:LASTEXITCODE } else { 1 }
  if ($Global:__sf_ran) { __sf_mark "D;$code" } else { __sf_mark 'D;' }
  $Global:__sf_ran = $false
  if ($pwd.Provider.Name -eq 'FileSystem') { __sf_mark "P;Cwd=$(__sf_escape $pwd.ProviderPath)" }
  "$([char]27)]633;A;$Global:__sf_nonce$([char]7)$([char]27)]633;B;$Global:__sf_nonce$([char]7)"
}

function Global:PSConsoleHostReadLine {
  $line = if ($Global:__sf_read) { & $Global:__sf_read } else { [Console]::In.ReadLine() }
  $Global:__sf_ran = -not [string]::IsNullOrWhiteSpace($line)
  if ($Global:__sf_ran) {
    __sf_mark "E;$(__sf_escape $line)"
    __sf_mark 'C'
  }
  $line
}
