import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { bootId } from "../../owner/boot.ts";
import { claimPrivateDirectory } from "../../file/private-directory.ts";
import { findProgram } from "../../environment/find-program.ts";
import { identify, procTable } from "../table/proc-table.ts";
import type { SpawnSpec } from "../processes.ts";
import { withStandardDescriptors } from "../standard-descriptors.ts";
import { startChild } from "../start/by-runtime.ts";
import type { StartEvents } from "../start/start.ts";
import {
  type DetachedFiles,
  type DetachedIdentity,
  newFiles,
  writeIdentity,
} from "./detached-files.ts";
import { detachedWrapper } from "./detached-wrapper.ts";
import { attempt } from "../../failure.ts";

/** The name of the shells around a detached command. */
const NAME = "shellflow-detached";

/** What is to be started on its own. */
export interface DetachedSpec extends SpawnSpec {
  readonly taskId: string;
  /** The line that it runs; its first word becomes part of the names of its files. */
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A process that outlives this one, with the files that it writes. */
export type DetachedProcess = DetachedIdentity & DetachedFiles;

/**
 * Starts a process that outlives this one, with its files.
 *
 * @returns The process, or `undefined` when it could not start: then `events.failed` follows.
 */
export type StartDetached = (
  spec: DetachedSpec,
  events: StartEvents,
) => DetachedProcess | undefined;

/**
 * Start detached processes of this machine.
 *
 * @param directory Where their files are; it is made when needed, for this user alone.
 * @param path Where their wrappers find programs, whatever the PATH of a command says; a project may
 *   have a `sync` of its own, which is not to run at the end of each command.
 */
export function detachedStarter(directory: string, path: string = wrapperPath()): StartDetached {
  const table = procTable();
  const boot = bootId();
  const bash = findProgram("bash", process.env["PATH"] ?? "");
  return ({ taskId, command, at, file, args, cwd, env }, events) => {
    let child: ReturnType<typeof startChild>;
    let files: ReturnType<typeof newFiles>;
    try {
      claimPrivateDirectory(directory);
      files = newFiles(directory, { taskId, command, at });
      const log = openSync(files.log, "ax", 0o600);
      try {
        // The wrapper finds its programs by the PATH of its own environment.
        const given = env["PATH"] === undefined ? "" : `PATH=${env["PATH"]}`;
        const wrapper = ["-c", detachedWrapper, NAME, files.base, given, file, ...args];
        const [program, ...words] = withStandardDescriptors(["/bin/sh", ...wrapper], {
          name: NAME,
          bash,
        });
        const wrapped = { file: program, args: words, cwd, env: { ...env, PATH: path } };
        child = startChild(wrapped, ["ignore", log, "ignore"], events);
      } finally {
        closeSync(log);
      }
    } catch (cause) {
      queueMicrotask(() => events.failed(cause));
      return undefined;
    }
    if (child?.pid === undefined) return undefined;
    child.unref();
    const { log, pidFile } = files;
    const identity = {
      ...identify(child.pid, table),
      ...(boot !== undefined && { bootId: boot }),
    };
    attempt(() => writeIdentity(pidFile, identity));
    return { ...identity, log, pidFile };
  };
}

/** Where systems have the programs that POSIX knows, and for those that have them elsewhere the PATH of this process. */
function wrapperPath(): string {
  const own = process.env["PATH"];
  return ["/usr/bin", "/bin", ...(own ? [own] : [])].join(":");
}
