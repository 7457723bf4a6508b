import { OrderedMap } from "immutable";
import type { CommandId } from "../event/command.ts";
import type { Projection } from "../event/project.ts";
import { type ByteRange, joined } from "../stream/byte-range.ts";
import type { OutputStream } from "../stream/bytes.ts";
import { concatenated } from "../stream/concatenated.ts";
import type { PersistentMap } from "../stream/persistent.ts";
import type { ReadResult } from "./read/read-bytes.ts";

/** Of commands that keep their streams apart: which bytes came from standard error. */
export type StreamsState = PersistentMap<CommandId, readonly ByteRange[]>;

/** Of a command whose streams alternate more often, it is forgotten. */
const MOST_RANGES = 10_000;

/** Which bytes came from standard error, of so many commands: the oldest go first. */
export function streamsProjection(keepCommands: number): Projection<StreamsState> {
  return {
    name: "streams",
    initial: OrderedMap(),
    evolve: (state, { event }) => {
      if (event.type === "command.requested" && event.split) {
        const now = state.set(event.commandId, []);
        const [oldest] = now.size > keepCommands ? now.keys() : [];
        return oldest === undefined ? now : now.remove(oldest);
      }
      if (event.type !== "output.appended" || event.stderr === undefined) return state;
      const { commandId, stderr } = event;
      const known = state.get(commandId);
      if (known === undefined) return state;
      const all = joined([...known, ...stderr]);
      return all.length > MOST_RANGES ? state.remove(commandId) : state.set(commandId, all);
    },
  };
}

/** What was read of an output, with the bytes of one stream alone. */
export function ofStream<Read extends Pick<ReadResult, "from" | "to" | "bytes" | "gaps">>(
  read: Read,
  stderr: readonly ByteRange[],
  stream: OutputStream,
): Read {
  const others = [...stderr, { from: Infinity, to: Infinity }]
    .map(({ from }, i) => ({ from: stderr[i - 1]?.to ?? 0, to: from }));
  const parts: Uint8Array[] = [];
  let { from } = read;
  let at = 0;
  for (const gap of [...read.gaps, { from: read.to, to: read.to }]) {
    for (const range of stream === "stderr" ? stderr : others) {
      const [start, end] = [Math.max(from, range.from), Math.min(gap.from, range.to)];
      if (start < end) parts.push(read.bytes.subarray(at + start - from, at + end - from));
    }
    at += gap.from - from;
    from = gap.to;
  }
  return { ...read, bytes: concatenated(parts) };
}

/**
 * Which bytes of a command came from standard error.
 *
 * @throws {Error} When that is not known.
 */
export function stderrOf(state: StreamsState, taskId: CommandId): readonly ByteRange[] {
  const stderr = state.get(taskId);
  if (stderr !== undefined) return stderr;
  const why = "it ran without split, long ago, or alternated between both too often";
  throw new Error(`Cannot read the streams of "${taskId}" apart: ${why}`);
}
