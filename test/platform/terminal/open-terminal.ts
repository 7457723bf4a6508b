import process from "node:process";
import { hostTerminals } from "../../../src/platform/terminal/host-terminals.ts";
import { loadPty } from "../../../src/platform/terminal/load-pty.ts";
import type { ExitStatus } from "../../../src/platform/process/processes.ts";
import type { Terminal, Terminals } from "../../../src/platform/terminal/terminals.ts";
import { cleanUp } from "../../clean-up.ts";

export const terminals: Terminals = hostTerminals(await loadPty());

/** A terminal of a test, with what came of it. */
export interface Opened {
  readonly terminal: Terminal;
  /** How many bytes came. */
  readonly bytes: () => number;
  readonly text: () => string;
  readonly exited: Promise<ExitStatus>;
  readonly ended: Promise<void>;
  readonly type: (text: string) => Promise<void>;
}

/** Run a line of bash on a terminal of its own. */
export function open(
  line: string,
  { data = () => {} }: { readonly data?: (chunk: Uint8Array) => void } = {},
): Opened {
  let text = "";
  let bytes = 0;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let exit: (status: ExitStatus) => void = () => {};
  let end: () => void = () => {};
  const exited = new Promise<ExitStatus>((resolve) => exit = resolve);
  const ended = new Promise<void>((resolve) => end = resolve);
  const terminal = terminals.open({
    file: "bash",
    args: ["--noprofile", "--norc", "-c", line],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LC_ALL: "C.UTF-8" },
    size: { columns: 80, rows: 24 },
  }, {
    data: (chunk) => {
      bytes += chunk.length;
      text += decoder.decode(chunk, { stream: true });
      data(chunk);
    },
    end,
    exit,
  });
  cleanUp(() => terminal.release());
  return {
    terminal,
    bytes: () => bytes,
    text: () => text,
    exited,
    ended,
    type: (keys) => terminal.write(encoder.encode(keys)),
  };
}
