import { realpathSync } from "node:fs";
import { procTable } from "./table/proc-table.ts";

/** Whether a process in the session of `pid`, which may have ended, has a file open; `false` where the system does not tell. */
export function isOpenBy(pid: number, path: string): boolean {
  let file: string;
  try {
    // What a process has open is shown without links.
    file = realpathSync(path);
  } catch {
    return false;
  }
  const { all, openFiles } = procTable().read();
  const session = all.find((process) => process.pid === pid)?.session ?? pid;
  return all.some((process) =>
    process.session === session && openFiles(process.pid).includes(file)
  );
}
