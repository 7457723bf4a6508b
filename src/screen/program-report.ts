/**
 * What the program on a terminal has last said of itself by operating system commands, as shells with an
 * integration do. Any output can claim it: it is shown, and decides neither permission nor state.
 */
export interface ProgramReport {
  /** It shows its prompt, or a command line runs; absent when neither was said since the last one ended. */
  readonly at?: "prompt" | "command";
  /** The command line that runs, or that ran last. */
  readonly command?: string;
  /** The exit code of the command line that ran last. */
  readonly exitCode?: number;
  /** Its directory. */
  readonly cwd?: string;
  /** The machine that `cwd` is on, where that was named, and not as `localhost`. */
  readonly host?: string;
}

/**
 * Follow an operating system command: OSC 7, 9;9 and 1337 name a directory, OSC 133 marks prompts and
 * command lines, and 633 does both. Other commands change nothing.
 *
 * @param text Without ESC ] and its terminator.
 * @see {@link https://code.visualstudio.com/docs/terminal/shell-integration}
 * @see {@link https://sw.kovidgoyal.net/kitty/shell-integration/}
 */
export function reportAfter(before: ProgramReport, text: string): ProgramReport {
  const [, number, body = ""] = /^(7|9;9|133|633|1337);(.*)$/s.exec(text) ?? [];
  switch (number) {
    case "7":
      return inAddress(before, body);
    case "9;9":
      return inDirectory(before, { cwd: /^"(.*)"$/s.exec(body)?.[1] ?? body });
    case "1337":
      return body.startsWith(CURRENT)
        ? inDirectory(before, { cwd: body.slice(CURRENT.length) })
        : before;
    case "133":
      return marked(before, body);
    case "633":
      return ofVsCode(before, body) ?? marked(before, body);
    default:
      return before;
  }
}

const CURRENT = "CurrentDir=";
const CWD = "Cwd=";

/** A prompt begins (A) and ends (B), a command line begins (C) and ends (D). */
function marked(before: ProgramReport, body: string): ProgramReport {
  const [mark, code = ""] = body.split(";", 2);
  switch (mark) {
    case "A":
    case "B":
      return { ...before, at: "prompt" };
    case "C": {
      const [, encoded] = /;cmdline_url=([^;]*)/.exec(body) ?? [];
      if (encoded !== undefined) return running(before, percentDecoded(encoded));
      return before.at === "command" ? before : running(before, "");
    }
    case "D": {
      const { at: _at, exitCode: _code, ...rest } = before;
      return /^-?\d{1,10}$/.test(code) ? { ...rest, exitCode: Number(code) } : rest;
    }
    default:
      return before;
  }
}

/** What 633 has beside the marks: the command line (E), with a nonce that proves nothing here, and the directory (P). */
function ofVsCode(before: ProgramReport, body: string): ProgramReport | undefined {
  const [mark, value = ""] = body.split(";", 2);
  if (mark === "E") return running(before, unescaped(value));
  if (mark !== "P" || !value.startsWith(CWD)) return undefined;
  return inDirectory(before, { cwd: unescaped(value.slice(CWD.length)) });
}

function running(
  { command: _command, exitCode: _code, ...rest }: ProgramReport,
  command: string,
): ProgramReport {
  return { ...rest, at: "command", ...(command !== "" && { command }) };
}

/** file://host/directory; an empty address takes back what was said. */
function inAddress(before: ProgramReport, address: string): ProgramReport {
  const [, host = "", path = ""] = /^file:\/\/([^/]*)(\/.*)$/s.exec(address) ?? [];
  if (path === "" && address !== "") return before;
  return inDirectory(before, {
    cwd: percentDecoded(path),
    host: host === "localhost" ? "" : host,
  });
}

function inDirectory(
  { cwd: _cwd, host: _host, ...rest }: ProgramReport,
  { cwd, host = "" }: { readonly cwd: string; readonly host?: string },
): ProgramReport {
  return { ...rest, ...(cwd !== "" && { cwd }), ...(host !== "" && { host }) };
}

/** Many shells write the address without the encoding that it should have. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Values in 633 have characters as `\xAB`, and the backslash twice. */
function unescaped(value: string): string {
  return value.replaceAll(
    /\\(?:\\|x([\da-f]{2}))/gi,
    (_, code?: string) =>
      code === undefined ? "\\" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
