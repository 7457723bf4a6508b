import { Map } from "immutable";
import type { CommandId } from "../event/command.ts";
import type { RuntimeEvent } from "../event/event.ts";
import type { Projection } from "../event/project.ts";
import type { Range } from "./range.ts";

/** What is known of one command's readers. */
interface Readers {
  readonly total: number;
  /** How far each reader that has a name has come. */
  readonly readTo: Map<string, number>;
}

/** Who has read how much of what. */
export type ReadingState = Map<CommandId, Readers>;

const NOBODY: Readers = { total: 0, readTo: Map() };

/** Follows how far the outputs go and how far each named reader has come. */
export const reading: Projection<ReadingState, RuntimeEvent> = {
  name: "reading",
  initial: Map(),
  evolve: (state, { event }) => {
    switch (event.type) {
      case "output.appended":
        return state.update(event.commandId, NOBODY, (readers) => ({
          ...readers,
          total: Math.max(readers.total, event.to),
        }));
      case "output.read":
        return state.update(event.commandId, NOBODY, (readers) => ({
          ...readers,
          readTo: readers.readTo.update(event.owner, 0, (to) => Math.max(to, event.to)),
        }));
      default:
        return state;
    }
  },
};

/** The range that a named reader has not read yet; empty when it has read all. */
export function unread(state: ReadingState, commandId: CommandId, owner: string): Range {
  const { total, readTo } = state.get(commandId) ?? NOBODY;
  return { from: Math.min(readTo.get(owner) ?? 0, total), to: total };
}
