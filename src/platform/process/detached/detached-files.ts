import * as fs from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../processes.ts";
import { attempt } from "../../failure.ts";

/** Which process a detached one is, also after this one and this run of the machine. */
export interface DetachedIdentity extends ProcessIdentity {
  /** The run of the machine in which it was started. */
  readonly bootId?: string;
}

/** Where a detached process writes. */
export interface DetachedFiles {
  readonly log: string;
  readonly pidFile: string;
}

/** How a detached process ended, as its wrapper recorded it. */
export interface RecordedExit {
  /** Its exit code; 128 + n when signal n ended it. */
  readonly code: number;
  /** When, in milliseconds since the epoch. */
  readonly at: number;
}

/** The files of a new detached process, as yet without log. */
export function newFiles(
  directory: string,
  { taskId, command, at }: {
    readonly taskId: string;
    readonly command: string;
    readonly at: number;
  },
): DetachedFiles & { readonly base: string } {
  const timestamp = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const id = taskId.replaceAll(/[^\w-]/g, "_");
  const base = join(directory, `${nameOf(command)}-detached-${id}-${timestamp}`);
  return { base, log: `${base}.log`, pidFile: `${base}.pid` };
}

/**
 * Whether an open file, as a link shows it, is the pipe that takes the output of a command to its log; it
 * has lost its name when the command starts.
 */
export function isDetachedOutput(pidFile: string, link: string): boolean {
  const fifo = `${pidFile.slice(0, -".pid".length)}.fifo`;
  return link === fifo || link === `${fifo} (deleted)`;
}

/** Write an identity, for people and other programs. */
export function writeIdentity(
  pidFile: string,
  { pid, startTime = "", bootId = "" }: DetachedIdentity,
): void {
  fs.writeFileSync(pidFile, `${pid}\n${startTime}\n${bootId}\n`, { flag: "wx", mode: 0o600 });
}

/** Whether the command of this pid file gets signals: its wrapper has started it. */
export function takesSignals(pidFile: string): boolean {
  const exit = exitFile(pidFile);
  return fs.existsSync(`${exit}.new`) || fs.existsSync(exit);
}

/** Read how the process with this pid file ended; `undefined` when that is not recorded. */
export function readExit(pidFile: string): RecordedExit | undefined {
  return readCode(exitFile(pidFile));
}

/** The same where its wrapper is gone: that may have noted the code, and not have published it yet. */
export function readLastExit(pidFile: string): RecordedExit | undefined {
  return readExit(pidFile) ?? readCode(`${exitFile(pidFile)}.new`);
}

function readCode(file: string): RecordedExit | undefined {
  return attempt(() => {
    const [, code] = /^(\d{1,3})\n$/.exec(fs.readFileSync(file, "latin1")) ?? [];
    return code === undefined ? undefined : { code: Number(code), at: fs.statSync(file).mtimeMs };
  });
}

function exitFile(pidFile: string): string {
  return pidFile.replace(/\.pid$/, ".exit");
}

/** The program, as a person would call it; a name for eyes, nothing is found by it. */
function nameOf(command: string): string {
  const [word = ""] = command.trim().split(/\s/);
  const name = word.slice(word.lastIndexOf("/") + 1).replaceAll(/[^\w.-]/g, "").slice(0, 32);
  return /^\w/.test(name) ? name : "command";
}
