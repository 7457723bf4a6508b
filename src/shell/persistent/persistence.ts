import type { ShellState } from "../../event/command.ts";
import type { ShellPart } from "../../event/execution.ts";

/**
 * Paths under which a shell that lives on reaches its host. Each is opened for one redirection and
 * let go: what a command inherits or closes has nothing to do with them.
 */
export interface ShellChannels {
  /** A pipe: a line for each order; its end tells that the host is gone. */
  readonly bell: string;
  /** A file: the order. */
  readonly orders: string;
  /** A file: what the shell keeps over a rebirth. */
  readonly memory: string;
  /** A file: what is printed where no redirection of a command holds, as by a trap at the shell's end. */
  readonly strays: string;
  /** The program of the shell itself. */
  readonly file: string;
  /** Marks the shell itself, for whoever looks for what belongs to the host. */
  readonly mark: string;
}

/** One command for a shell that lives on. */
export interface ShellOrder {
  readonly command: string;
  /** Which one it is, for its report. */
  readonly number: number;
  /** Path of the pipe that gets its output. */
  readonly output: string;
  /** Path to which the shell reports its end. */
  readonly report: string;
  /** Marks the processes of the command. */
  readonly mark: string;
  /** What `$?` is before it: the code of the last command. */
  readonly status: number;
  /** Where it stands, if that is known: its own variable for that may have been set to anything. */
  readonly from?: string;
  /** Where to go before. */
  readonly cwd?: string;
  /** Whether to come back after. */
  readonly returns: boolean;
  /** Variables of this command alone. */
  readonly overrides: Readonly<Record<string, string>>;
  /** The trap on the end of the shell that a command has set, quoted: ours is put in its place, and runs it. */
  readonly exitTrap?: string;
  /** What the shell exports, as it told last. */
  readonly exports: string;
  /** The command changes nothing of the shell: what to empty, instead of a report, when it has succeeded. */
  readonly flag?: string;
}

/**
 * What a report says: the command ended (`done`), and the shell with it and was reborn (`reborn`) or
 * ends now (`last`), or it never began (`refused`).
 */
export interface ShellReport {
  readonly kind: "done" | "reborn" | "last" | "refused";
  readonly code: number;
  /** Of which order: a shell that a late signal ends is reborn after its report, and reports again. */
  readonly order: number;
}

/** What a shell has become, as its report tells. */
export interface ReportedState {
  /** As the shell sees it; links of directories are not followed. */
  readonly cwd: string;
  readonly state: ShellState;
  /** Its exported variables, in its own language. */
  readonly exports: string;
  /** The trap on the end of the shell, quoted, if a command has set one in place of ours. */
  readonly exitTrap?: string;
  /** Nothing shows what the shell does for us: what it prints while no redirection of a command holds, a trap of a command prints. */
  readonly quiet: boolean;
  /** Words that are not expanded stand for themselves, and nothing runs beside them; absent: not known. */
  readonly literal?: boolean;
}

/** How a shell of some dialect is kept alive: pure functions from data to its own language, and back. */
export interface Persistence {
  /** The arguments to start it with. */
  readonly start: (channels: ShellChannels) => readonly string[];
  /** What is written to the file of orders. */
  readonly order: (order: ShellOrder) => string;
  /** Whether a line changes nothing of a shell whose state is `literal`; absent: none is known to. */
  readonly isPlain?: (line: string) => boolean;
  /** A line with which a shell that replaces another gets back what that one had exported. */
  readonly restore: (exports: string) => string;
  /**
   * Which of the files that were loaded into the shell may have brought builtins.
   *
   * @param first Those that were there before the first command.
   */
  readonly modules?: (objects: readonly string[], first: readonly string[]) => readonly string[];
  /** What is lost when the shell was reborn in its process. */
  readonly lostByRebirth: readonly ShellPart[];
  /**
   * Read what a report tells of the shell.
   *
   * @param first What it told before the first command: what has not changed since is not told.
   */
  readonly read: (text: string, first: string) => ReportedState;
}

const KINDS = { D: "done", E: "reborn", L: "last", N: "refused" } as const;

/** What stands at the end of each report. No field of a report begins with a newline, so that none contains it. */
export const END_OF_REPORT = "\0\n";

/** Read a report, whose last field is such as `D 0 7`; `undefined` when it is none. */
export function readReport(text: string): ShellReport | undefined {
  const [, kind, code, order] = /\0([DELN]) (\d{1,3}) (\d+)$/.exec(text) ?? [];
  if (kind === undefined || !isKind(kind)) return undefined;
  return { kind: KINDS[kind], code: Number(code), order: Number(order) };
}

function isKind(letter: string): letter is keyof typeof KINDS {
  return Object.hasOwn(KINDS, letter);
}
