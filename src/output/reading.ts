import { OrderedMap } from "immutable";
import type { CommandId } from "../event/command.ts";
import type { Projection } from "../event/project.ts";
import type { PersistentMap } from "../stream/persistent.ts";

/** How far each named reader has read, by command; the command that was read last comes last. */
export type ReadingState = PersistentMap<CommandId, PersistentMap<string, number>>;

const NO_READERS: PersistentMap<string, number> = OrderedMap();

/** How far named readers have read, of so many commands: those not read for longest go first. */
export function readingProjection(keepCommands: number): Projection<ReadingState> {
  return {
    name: "reading",
    initial: OrderedMap(),
    evolve: (state, { event }) => {
      if (event.type !== "output.read") return state;
      const { commandId, owner, to } = event;
      const readers = state.get(commandId) ?? NO_READERS;
      const furthest = Math.max(readers.get(owner) ?? 0, to);
      const now = state.remove(commandId).set(commandId, readers.set(owner, furthest));
      const [oldest] = now.size > keepCommands ? now.keys() : [];
      return oldest === undefined ? now : now.remove(oldest);
    },
  };
}

/** Up to which offset a reader has read; 0 where it never did. */
export function readTo(state: ReadingState, commandId: CommandId, reader: string): number {
  return state.get(commandId)?.get(reader) ?? 0;
}
