import { unescapeValue } from "./mark-values.ts";

/** What a shell says about itself in its output. */
export type ShellMark =
  & MarkOrigin
  & (
    /** A prompt begins, or the text before it ends. */
    | { readonly type: "promptStart" | "promptEnd" }
    /** The output of a command begins. */
    | { readonly type: "executed" }
    /** A command has ended; without a code, none ran. */
    | { readonly type: "finished"; readonly code?: number }
    | { readonly type: "commandLine"; readonly command: string }
    | { readonly type: "directory"; readonly path: string }
    | { readonly type: "property"; readonly name: string; readonly value: string }
  );

/** Where a mark comes from. */
export interface MarkOrigin {
  /** The number of the operating system command: 633 is of VS Code, 133 of FinalTerm, 1337 of iTerm2. */
  readonly source: 7 | 9 | 133 | 633 | 1337;
  /** It has the nonce of the session; whatever else prints such a sequence has not. */
  readonly trusted: boolean;
}

/**
 * Read an operating system command as a mark of a shell; `undefined` when it is none.
 *
 * @param text What stands between ESC ] and the terminator.
 * @param nonce What marks of this session end in.
 * @see {@link https://code.visualstudio.com/docs/terminal/shell-integration}
 */
export function shellMark(text: string, nonce: string): ShellMark | undefined {
  const [number = "", ...rest] = text.split(";");
  switch (number) {
    case "633":
      return integrationMark(633, rest, nonce);
    case "133":
      return integrationMark(133, rest, undefined);
    case "7":
      return directory(7, pathOfUrl(rest.join(";")));
    case "9":
      return rest[0] === "9" ? directory(9, unquoted(rest.slice(1).join(";"))) : undefined;
    case "1337": {
      const [name, value] = assignment(rest.join(";"));
      return name === "CurrentDir" ? directory(1337, value) : undefined;
    }
    default:
      return undefined;
  }
}

function integrationMark(
  source: 133 | 633,
  [letter = "", first, second]: readonly string[],
  nonce: string | undefined,
): ShellMark | undefined {
  const from = (found: string | undefined): MarkOrigin => ({
    source,
    trusted: nonce !== undefined && found === nonce,
  });
  switch (letter) {
    case "A":
      return { type: "promptStart", ...from(first) };
    case "B":
      return { type: "promptEnd", ...from(first) };
    case "C":
      return { type: "executed", ...from(first) };
    case "D": {
      const code = Number.parseInt(first ?? "", 10);
      return { type: "finished", ...(Number.isNaN(code) ? {} : { code }), ...from(second) };
    }
    case "E":
      if (source === 133) return undefined;
      return { type: "commandLine", command: unescapeValue(first ?? ""), ...from(second) };
    case "P": {
      const [name, value = ""] = assignment(first ?? "");
      if (source === 133 || name === "") return undefined;
      return name === "Cwd"
        ? { type: "directory", path: unescapeValue(value), ...from(second) }
        : { type: "property", name, value: unescapeValue(value), ...from(second) };
    }
    default:
      return undefined;
  }
}

function directory(source: 7 | 9 | 1337, path: string | undefined): ShellMark | undefined {
  return path === undefined || path === ""
    ? undefined
    : { type: "directory", path, source, trusted: false };
}

function assignment(text: string): readonly [name: string, value: string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** `file://host/path`, percent-encoded. */
function pathOfUrl(url: string): string | undefined {
  const [, path] = /^file:\/\/[^/]*(\/.*)$/s.exec(url) ?? [];
  try {
    return path && decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function unquoted(path: string): string {
  return /^".*"$/s.test(path) ? path.slice(1, -1) : path;
}
