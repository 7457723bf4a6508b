import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { RuntimeEvent } from "../../event/event.ts";
import { shownValue } from "../../value/shown.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import type { ReadResult } from "../../output/read/read-bytes.ts";
import { readTo } from "../../output/reading.ts";
import { ofStream, stderrOf } from "../../output/streams.ts";
import type { OutputStream } from "../../stream/bytes.ts";
import type { Live } from "../live.ts";
import type { Projected } from "../state/projections.ts";
import type { Mask } from "../../text/mask.ts";
import { checkFields } from "../../value/check-fields.ts";
import { milliseconds, nonEmpty, wholeNumber } from "../call/fields.ts";
import { textView } from "../../text/view/text-window.ts";
import { type Outputs, readOutput, writtenBy } from "./read-output.ts";
import { knownTask } from "../call/known-task.ts";

/** What to read of a task. */
export interface ReadTaskOptions {
  /** The first offset, in bytes; 0 when absent, and beyond the end it means the end. */
  readonly from?: number;
  /**
   * In place of `from`: read on where a reader of this name stopped, in this runtime or in an earlier
   * one on its log. Reads in one name follow each other, so that no byte is given out twice.
   */
  readonly reader?: string;
  /** How many bytes at most; 64 KiB when absent. */
  readonly maxBytes?: number;
  /** How long to wait, in milliseconds, for what `until` says; 0 when absent. */
  readonly waitMs?: number;
  /**
   * What to wait for: anything new, or the end of the output, which background processes of the
   * command may put off and a command may bring about before it ends. `more` when absent.
   */
  readonly until?: "more" | "end";
  /** Ends the wait: the read rejects with its reason, and nothing counts as read. */
  readonly signal?: AbortSignal;
  /** Show a star in place of each byte of a secret of the host; default `false`. */
  readonly masked?: boolean;
  /** Give the bytes of one stream alone, of a command that ran with `split`; offsets count both. */
  readonly stream?: OutputStream;
}

/** What readers need. */
export interface ReadersOptions extends Outputs {
  readonly mask: Mask | undefined;
  readonly record: (event: RuntimeEvent) => void;
  /** How far readers have come, and which bytes came from which stream. */
  readonly projected: Pick<Live<Pick<Projected, "reading" | "streams">>, "current">;
}

const schema = v.strictObject({
  from: v.optional(wholeNumber, 0),
  reader: v.optional(nonEmpty),
  maxBytes: v.optional(v.pipe(wholeNumber, v.minValue(1)), 64 * 1024),
  waitMs: v.optional(milliseconds, 0),
  until: v.optional(v.picklist(["more", "end"]), "more"),
  signal: v.optional(v.instance(AbortSignal)),
  masked: v.optional(v.boolean(), false),
  stream: v.optional(v.picklist(["stdout", "stderr"])),
});

const NOTHING = new Uint8Array(0);
/** Enough for some thousand characters, escape sequences included. */
const TAIL_BYTES = 8 * 1024;

/** Reads the output of tasks, and keeps how far each named reader has come. */
export class Readers {
  readonly #options: ReadersOptions;
  /** The last read of each reader of each task, while it goes on. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  /** Read a task's output. */
  async read(taskId: CommandId, options: ReadTaskOptions): Promise<ReadResult> {
    const { masked, stream, ...asked } = checked(taskId, options);
    const { tasks, output, projected, mask } = this.#options;
    const only = (read: ReadResult) => {
      if (stream === undefined) return read;
      output(taskId)?.announce();
      return ofStream(read, stderrOf(projected.current.streams, taskId), stream);
    };
    // Before a reader is noted to have read it.
    const isKnown = tasks.current.byId.has(taskId);
    if (stream !== undefined && isKnown) stderrOf(projected.current.streams, taskId);
    const result = only(await this.#read(taskId, asked));
    return masked && mask !== undefined
      ? await this.#masked(taskId, result, { mask, only })
      : result;
  }

  /** The end of a task's output, as a terminal would show it. */
  async tail(taskId: CommandId): Promise<string> {
    const { total } = await this.read(taskId, { maxBytes: 1 });
    const from = Math.max(0, total - TAIL_BYTES);
    const { bytes } = await this.read(taskId, { from, maxBytes: TAIL_BYTES, masked: true });
    return textView(bytes, { from }).text;
  }

  async #masked(
    taskId: CommandId,
    result: ReadResult,
    { mask, only }: { readonly mask: Mask; readonly only: (read: ReadResult) => ReadResult },
  ): Promise<ReadResult> {
    const { from, to, total, bytes } = result;
    const part = async (start: number, end: number): Promise<Uint8Array> => {
      if (start >= end) return NOTHING;
      const range = { taskId, from: start, maxBytes: end - start };
      const { bytes, gaps } = only(await readOutput(this.#options, range));
      const gap = gaps.at(-1);
      return gap === undefined ? bytes : await part(gap.to, end);
    };
    const before = await part(Math.max(0, from - mask.reach), from);
    const after = await part(to, Math.min(total, to + mask.reach));
    return { ...result, bytes: mask.bytes(bytes, { from, before, after }) };
  }

  async #read(
    taskId: CommandId,
    { reader, ...range }: Omit<v.InferOutput<typeof schema>, "masked">,
  ): Promise<ReadResult> {
    if (reader === undefined) return await readOutput(this.#options, { taskId, ...range });
    const { maxBytes, waitMs, until, signal } = range;
    const { clock } = this.#options;
    const deadline = clock.monotonic() + waitMs;
    if (until === "end") {
      await readOutput(this.#options, { taskId, from: 0, maxBytes: 1, waitMs, until, signal });
      return await this.#readOn(taskId, reader, { maxBytes, signal });
    }
    for (;;) {
      const result = await this.#readOn(taskId, reader, { maxBytes, signal });
      const leftMs = deadline - clock.monotonic();
      const { from, to, ended } = result;
      if (to > from || ended || leftMs <= 0) return result;
      // Outside of the reader's queue: a read that does not wait must not wait behind one that does.
      await readOutput(this.#options, { taskId, from: to, maxBytes: 1, waitMs: leftMs, signal });
    }
  }

  /** What there is for a reader now, which is remembered as read. */
  #readOn(
    taskId: CommandId,
    reader: string,
    part: { readonly maxBytes: number; readonly signal: AbortSignal | undefined },
  ): Promise<ReadResult> {
    const { record } = this.#options;
    return this.#inTurn(JSON.stringify([taskId, reader]), async () => {
      const from = this.#readTo(taskId, reader);
      const result = await readOutput(this.#options, { taskId, from, ...part });
      const { to } = result;
      if (to > from) record({ type: "output.read", commandId: taskId, owner: reader, to });
      return result;
    });
  }

  /** Take note that a reader has seen a task's output up to an offset, by another way than a read. */
  seen(taskId: CommandId, reader: string, to: number): void {
    checked(taskId, { reader });
    if (to <= this.#readTo(taskId, reader)) return;
    this.#options.record({ type: "output.read", commandId: taskId, owner: reader, to });
  }

  /** What a reader has not read of a task so far. */
  unread(taskId: CommandId, reader: string): ByteRange {
    checked(taskId, { reader });
    const { tasks, output } = this.#options;
    const task = knownTask(tasks, "read", taskId);
    const from = this.#readTo(taskId, reader);
    return { from, to: Math.max(from, output(taskId)?.total ?? writtenBy(task)) };
  }

  #readTo(taskId: CommandId, reader: string): number {
    return readTo(this.#options.projected.current.reading, taskId, reader);
  }

  async #inTurn<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(act, act);
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }
}

function checked(taskId: CommandId, options: ReadTaskOptions): v.InferOutput<typeof schema> {
  const cannot = `Cannot read ${shownValue(taskId)} with`;
  const read = checkFields(schema, options, cannot);
  if (options.reader !== undefined && options.from !== undefined) {
    throw new TypeError(`${cannot} from ${options.from}: a reader goes on where it stopped`);
  }
  return read;
}
