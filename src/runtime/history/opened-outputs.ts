import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
import type { SourceRead } from "../../text/source/source.ts";
import type { OpenBytes } from "../state/recorded-output.ts";
import { openTaskOutput } from "../state/task-output.ts";
import type { History } from "./history.ts";

/** At most so many outputs stay open. */
const MOST_OPEN = 8;

/** Reads what the tasks of a log wrote. */
export class OpenedOutputs {
  readonly #log: string;
  readonly #history: History;
  readonly #opened = new Map<CommandId, Promise<OpenBytes>>();

  /** @param log Its directory, or one file of it. */
  constructor(log: string, history: History) {
    this.#log = log;
    this.#history = history;
  }

  async read(
    taskId: CommandId,
    range: { readonly from: number; readonly maxBytes: number },
  ): Promise<SourceRead> {
    const known = this.#opened.get(taskId);
    const bytes = await known?.catch(() => undefined);
    const read = await bytes?.read(range);
    // An owner answers beyond what there was when it was opened, and a log does not.
    if (read !== undefined && (read.bytes.length > 0 || range.from < (bytes?.total ?? 0))) {
      return read;
    }
    // Another read may have opened it again meanwhile.
    const now = this.#opened.get(taskId);
    const opened = now === known || now === undefined ? this.#open(taskId) : now;
    return await (await opened).read(range);
  }

  #open(taskId: CommandId): Promise<OpenBytes> {
    const opened = openTaskOutput(this.#log, taskId, () => this.#allOf(taskId));
    this.#forget(taskId);
    this.#opened.set(taskId, opened);
    const [oldest = taskId] = this.#opened.keys();
    if (this.#opened.size > MOST_OPEN) this.#forget(oldest);
    return opened;
  }

  /** The events of a task; `undefined` where only the whole log has them all. */
  #allOf(taskId: CommandId): AsyncIterable<Recorded> | undefined {
    const { firstSeq, last } = this.#history;
    return firstSeq === 1 ? this.#history.read({ from: 1, to: last.seq, taskId }) : undefined;
  }

  #forget(taskId: CommandId): Promise<void> | undefined {
    const bytes = this.#opened.get(taskId);
    this.#opened.delete(taskId);
    return bytes?.then((bytes) => bytes.close()).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((taskId) => this.#forget(taskId)));
  }
}
