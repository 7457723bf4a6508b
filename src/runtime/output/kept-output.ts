import { ByteLogs, type ByteLogsOptions } from "../../output/byte-logs.ts";
import { temporaryDirectory } from "../../platform/environment/environment.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { type SpillFiles, spillFiles } from "../../platform/file/spill-files.ts";
import { defined } from "../../value/defined.ts";
import type { RuntimeOptions } from "../options/options.ts";

/** What keeps the output of commands: in memory and, unless `spill` is `false`, in files. */
export function keptOutput(
  { ids, output: { spill, runtimeQuotaBytes, freeSpaceBytes, maskSecrets: _, ...limits } = {} }:
    RuntimeOptions,
  { id, cwd, log, ...parts }: Pick<ByteLogsOptions, "clock" | "onReleased"> & {
    readonly id: string;
    readonly cwd: string;
    readonly log: string | undefined;
  },
): {
  readonly logs: ByteLogs;
  readonly files?: SpillFiles;
  /** Where the files are, if they go with this process and are no other's. */
  readonly temporary?: string;
} {
  if (spill === false) return { logs: new ByteLogs({ ...parts, ...limits }) };
  const kept = spill ?? (log === undefined ? undefined : absolutePath(log, "output"));
  const directory = kept ?? absolutePath(temporaryDirectory(), `shellflow-${id}`);
  const files = spillFiles(absolutePath(cwd, directory), kept === undefined);
  const logs = new ByteLogs({
    ...parts,
    ...limits,
    spill: {
      files,
      // A log that outlives the runtime has to lead to every byte.
      from: log === undefined ? "overflow" : "inline",
      onClose: kept === undefined ? "remove" : "keep",
      ...defined({ runtimeQuotaBytes, freeSpaceBytes }),
    },
  });
  // With ids of the caller's own, another process may have a directory of this name.
  const isOwn = kept === undefined && ids === undefined;
  return { logs, files, ...(isOwn && { temporary: directory }) };
}
