import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProcTable, procTable } from "../../src/platform/process/table/proc-table.ts";

/** A process as it is recorded for a test. */
export interface RecordedProcess {
  readonly pid: number;
  readonly parent?: number;
  readonly group?: number;
  readonly session?: number;
  readonly state?: string;
  readonly startTime?: number;
  readonly name?: string;
  readonly environ?: string;
  /** It is just executing a program, which has no environment yet. */
  readonly executing?: boolean;
  /** It has not executed a program since its fork. */
  readonly forked?: boolean;
  readonly cmdline?: string;
  /** Where its descriptors point, from 0 on. */
  readonly files?: readonly string[];
}

/** A process table in a directory, in the form of /proc. */
export interface ProcFixture {
  readonly root: string;
  readonly table: ProcTable;
  /** Replace what is in it. */
  set(processes: readonly RecordedProcess[]): void;
  remove(): void;
}

/** Make an empty table. */
export function procFixture(): ProcFixture {
  const root = mkdtempSync(join(tmpdir(), "shellflow-proc-"));
  const clear = () => rmSync(root, { recursive: true, force: true });
  return {
    root,
    table: procTable(root),
    set: (processes) => {
      clear();
      mkdirSync(root);
      for (const name of ["self", "meminfo", "net"]) writeFileSync(join(root, name), "");
      for (const process of processes) write(root, process);
    },
    remove: clear,
  };
}

function write(root: string, recorded: RecordedProcess): void {
  const { pid, parent = 1, group = pid, session = group, state = "S", startTime = 100 } = recorded;
  const { name = "sleep", environ = "", cmdline = "", files = [], executing, forked } = recorded;
  const directory = join(root, String(pid));
  mkdirSync(join(directory, "fd"), { recursive: true });
  // The fields from tty_nr to itrealvalue, which nobody asks for here.
  const others = `0 -1 ${forked ? 4194368 : 4194304} 95 0 0 0 0 0 0 0 20 0 1 0`;
  // The fields from rsslim to env_start, and the end of the environment.
  const rest = `${"1 ".repeat(26)}${executing ? 0 : 9}`;
  const numbers =
    `${state} ${parent} ${group} ${session} ${others} ${startTime} 2789376 200 ${rest}`;
  writeFileSync(join(directory, "stat"), `${pid} (${name}) ${numbers}\n`);
  writeFileSync(join(directory, "environ"), environ);
  writeFileSync(join(directory, "cmdline"), cmdline);
  files.forEach((file, fd) => symlinkSync(file, join(directory, "fd", String(fd))));
}
