import process from "node:process";
import type { DialectName } from "../../../../src/event/command.ts";
import { findProgram } from "../../../../src/platform/environment/find-program.ts";
import { dialects } from "../../../../src/shell/dialects.ts";

/** The shells that are tried. */
export const TRIED = ["bash", "zsh", "dash"] as const;

export type Tried = typeof TRIED[number];

/** What a command may find: no program of the person's own. */
export const PATH = "/usr/local/bin:/usr/bin:/bin";

const DIALECTS: Readonly<Record<Tried, DialectName>> = { bash: "bash", zsh: "zsh", dash: "posix" };

/** A shell of this machine, and how a fresh one of it runs a line. */
export interface TriedShell {
  readonly dialect: DialectName;
  readonly file: string;
  readonly args: (line: string) => readonly string[];
}

/** The shells that this machine has. */
export const SHELLS: ReadonlyMap<Tried, TriedShell> = new Map(
  TRIED.flatMap((name): [Tried, TriedShell][] => {
    const file = findProgram(name, process.env["PATH"] ?? PATH);
    const dialect = DIALECTS[name];
    return file === undefined ? [] : [[name, { dialect, file, args: dialects[dialect].run }]];
  }),
);
