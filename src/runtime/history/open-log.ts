/// <reference lib="esnext.disposable" preserve="true" />
import * as v from "valibot";
import { type LogDamage, readLog } from "../../event/log/read-log.ts";
import { fileSize } from "../../platform/file/file-bytes.ts";
import { recordedFile } from "../../platform/file/recorded-file.ts";
import { pathKind } from "../../platform/file/segment-files.ts";
import { checkFields } from "../../value/check-fields.ts";
import { shownValue } from "../../value/shown.ts";
import { followLog } from "./follow-log.ts";
import { History } from "./history.ts";
import { OpenedOutputs } from "./opened-outputs.ts";
import { type RecordedRuntime, recordedRuntime } from "./recorded-runtime.ts";

/** How a log is opened. */
export interface OpenLogOptions {
  /** Take what its owner adds, some times a second, until it is closed; default `false`. */
  readonly follow?: boolean;
  /** How many of the newest events are kept in memory, or some more; all when absent. */
  readonly maxEvents?: number;
}

/** A recorded log as a runtime that is only read. */
export interface OpenLog extends RecordedRuntime {
  /** The directory or the file of the log. */
  readonly path: string;
  /** The places that could not be read when it was opened; all other events stand. */
  readonly damage: readonly LogDamage[];
  /** Follow it no more, and close the files of outputs. Idempotent. */
  close(): Promise<void>;
  /** The same as {@linkcode OpenLog.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const schema = v.strictObject({
  follow: v.optional(v.boolean(), false),
  maxEvents: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
});

/**
 * Open a recorded log as a runtime that is only read: what it says of its tasks, sessions and
 * notices, now and after each event, is what the runtime that wrote it said.
 *
 * The events are in memory then; output is read from where it is kept, and as it is: a log does not
 * know the secrets of its host.
 *
 * @param path A directory of segments, or one file of them; a cassette is such a directory.
 * @throws {TypeError} When an option cannot be used.
 * @throws {LogError} When there is no log, or it is of another schema.
 *
 * @example Look at a run after it
 * ```ts
 * import { createRuntime, openLog } from "shellflow";
 * import { mkdtemp, rm } from "node:fs/promises";
 *
 * const directory = await mkdtemp("/tmp/log-");
 * const runtime = await createRuntime({ mode: "bypass", log: directory });
 * const { taskId } = await runtime.run("echo hi");
 * await runtime.close();
 *
 * await using log = await openLog(directory);
 * const { bytes } = await log.read(taskId);
 * if (new TextDecoder().decode(bytes) !== "hi\n") throw new Error("unexpected");
 * if (log.at(1).tasks.current.byId.size !== 0) throw new Error("unexpected");
 * await rm(directory, { recursive: true });
 * ```
 */
export async function openLog(path: string, options: OpenLogOptions = {}): Promise<OpenLog> {
  const cannot = `Cannot open log ${shownValue(path)} with`;
  const { follow, maxEvents = Infinity } = checkFields(schema, options, cannot);
  if (follow && await pathKind(path) === "file") {
    throw new TypeError(`${cannot} follow true: it is a file; give the directory of the log`);
  }
  const history = new History(maxEvents);
  const damage: LogDamage[] = [];
  for await (const recorded of readLog(path, { onDamage: (place) => void damage.push(place) })) {
    history.take(recorded);
  }
  const outputs = new OpenedOutputs(path, history);
  const runtime = recordedRuntime(history, {
    read: (taskId, range) => outputs.read(taskId, range),
    sizeOf: (file) => fileSize(recordedFile(path, file)),
  });
  const end = follow ? followLog(path, history) : () => history.news.complete();
  if (!follow) end();
  const close = async () => {
    end();
    await outputs.close();
  };
  return Object.assign(runtime, { path, damage, close, [Symbol.asyncDispose]: close });
}
