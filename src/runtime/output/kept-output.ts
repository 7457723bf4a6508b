import { ByteLogs, type ByteLogsOptions } from "../../output/byte-logs.ts";
import {
  fromCurrentDirectory,
  temporaryDirectory,
} from "../../platform/environment/environment.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { type SpillFiles, spillFiles } from "../../platform/file/spill-files.ts";
import { defined } from "../../value/defined.ts";
import type { RuntimeOptions } from "../options/options.ts";

/** Where output goes that memory does not hold; `undefined`: nowhere. */
export function spillFilesOf(
  { output: { spill } = {} }: RuntimeOptions,
  { id, log }: { readonly id: string; readonly log: string | undefined },
): SpillFiles | undefined {
  if (spill === false) return undefined;
  const kept = spill ?? (log === undefined ? undefined : absolutePath(log, "output"));
  const directory = kept ?? absolutePath(temporaryDirectory(), `shellflow-${id}`);
  return spillFiles(fromCurrentDirectory(directory), kept === undefined);
}

interface ByteLogsParts extends Pick<ByteLogsOptions, "clock" | "onReleased"> {
  readonly files: SpillFiles | undefined;
  /** The directory of the log, where there is one. */
  readonly log: string | undefined;
}

/** What keeps the output of commands. */
export function byteLogsOf(
  { output: { spill, runtimeQuotaBytes, freeSpaceBytes, maskSecrets: _, ...limits } = {} }:
    RuntimeOptions,
  { files, log, ...parts }: ByteLogsParts,
): ByteLogs {
  if (files === undefined) return new ByteLogs({ ...parts, ...limits });
  const isTemporary = spill === undefined && log === undefined;
  return new ByteLogs({
    ...parts,
    ...limits,
    spill: {
      files,
      // A log that outlives the runtime has to lead to every byte.
      from: log === undefined ? "overflow" : "inline",
      onClose: isTemporary ? "remove" : "keep",
      ...defined({ runtimeQuotaBytes, freeSpaceBytes }),
    },
  });
}
