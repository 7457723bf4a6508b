import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { Executor } from "../../execution/executor.ts";
import type { ReadResult } from "../../output/read/read-bytes.ts";
import { type CreateEmulator, loadEmulator } from "../../screen/emulator.ts";
import { rebuildScreen } from "../../screen/rebuild.ts";
import { changedRows, type ScreenSnapshot } from "../../screen/snapshot.ts";
import type { Task } from "../../task/task-view.ts";
import { checkFields } from "../../value/check-fields.ts";
import { nonEmpty, wholeNumber } from "../call/fields.ts";

/** Which screen is wanted, and how. */
export interface ScreenOptions {
  /** With the styles of its cells, too; default `false`. */
  readonly styled?: boolean;
  /** As it was when so many bytes of output had come; default now, or at the end of the task. */
  readonly offset?: number;
  /** Answer, too, which rows have changed since the reader of this name looked last. */
  readonly reader?: string;
}

/** The screen of a task. */
export interface TaskScreen extends ScreenSnapshot {
  /** Rows, from 0, that have changed since the reader looked last: all of them at first; only with `reader`. */
  readonly changed?: readonly number[];
}

/** What screens are made of. */
export interface ScreensOptions {
  readonly executor: Pick<Executor, "screen">;
  readonly read: (
    taskId: CommandId,
    options: { readonly from: number; readonly maxBytes: number },
  ) => Promise<ReadResult>;
}

const schema = v.strictObject({
  styled: v.optional(v.boolean()),
  offset: v.optional(wholeNumber),
  reader: v.optional(nonEmpty),
});

/** Of so many tasks it is known what readers have seen; of others all rows are new. */
const MOST_SEEN = 100;

/** Shows the screens of tasks: of running ones as they are, of others again from their output. */
export class Screens {
  readonly #options: ScreensOptions;
  readonly #seen = new Map<CommandId, Map<string, ScreenSnapshot>>();
  #emulator: Promise<CreateEmulator> | undefined;

  constructor(options: ScreensOptions) {
    this.#options = options;
  }

  async show(task: Task, options: ScreenOptions): Promise<TaskScreen> {
    const { styled = false, offset, reader } = checkFields(
      schema,
      options,
      `Cannot show the screen of "${task.id}" with`,
    );
    const live = offset === undefined ? this.#options.executor.screen?.(task.id) : undefined;
    const wanted = { styled: styled || reader !== undefined };
    const snapshot = live?.snapshot(wanted) ?? await this.#again(task, { offset, ...wanted });
    const { styled: _, ...plain } = snapshot;
    const screen = styled ? snapshot : plain;
    if (reader === undefined) return screen;
    const readers = this.#seen.get(task.id) ?? new Map<string, ScreenSnapshot>();
    this.#seen.set(task.id, readers);
    for (const id of this.#seen.keys()) if (this.#seen.size > MOST_SEEN) this.#seen.delete(id);
    const before = readers.get(reader);
    readers.set(reader, snapshot);
    const changed = before === undefined
      ? snapshot.lines.map((_, row) => row)
      : changedRows(before, snapshot);
    return { ...screen, changed };
  }

  async #again(
    { id, sizes = [], totalBytes }: Task,
    { offset: asked, styled }: {
      readonly offset: number | undefined;
      readonly styled: boolean;
    },
  ): Promise<ScreenSnapshot> {
    if (sizes.length === 0) {
      throw new Error(`Cannot show the screen of "${id}": it has no terminal`);
    }
    const offset = asked ?? totalBytes;
    // The size changed after the byte before it.
    const until = asked === undefined
      ? sizes
      : sizes.filter(({ from }, index) => index === 0 || from < asked);
    const read = async ({ from, to }: { from: number; to: number }) => {
      const { bytes, gaps, total } = await this.#options.read(id, { from, maxBytes: to - from });
      if (gaps.length === 0 && bytes.length > 0) return bytes;
      const why = from >= total
        ? `its output has ${total} bytes`
        : `its output from byte ${from} on is not kept`;
      throw new Error(`Cannot show the screen of "${id}" at offset ${offset}: ${why}`);
    };
    const createEmulator = await (this.#emulator ??= loadEmulator());
    return await rebuildScreen({ sizes: until, read }, { offset, createEmulator, styled });
  }
}
