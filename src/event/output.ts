import type { CommandId } from "./command.ts";

/** Bytes kept inside an event: as text where they are UTF-8 as a whole, else as base64. */
export type InlineBytes = { readonly text: string } | { readonly base64: string };

/** The command's byte log grew; offsets count every byte that it ever wrote. */
export interface OutputAppended {
  readonly type: "output.appended";
  readonly commandId: CommandId;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** The bytes of the range, while the command is within its inline budget. */
  readonly inline?: InlineBytes;
  /** The parts of the range that came from standard error, where the command keeps that apart. */
  readonly stderr?: readonly { readonly from: number; readonly to: number }[];
}

/** Bytes beyond the memory of the runtime are being kept in a file. */
export interface OutputSpilled {
  readonly type: "output.spilled";
  readonly commandId: CommandId;
  readonly path: string;
}

/** The spill file cannot take more; head and tail are kept all the same. */
export interface OutputSpillFailed {
  readonly type: "output.spillFailed";
  readonly commandId: CommandId;
  readonly reason: string;
  /** The first byte that no file holds. */
  readonly at: number;
}

/** A quota was reached: what follows is counted, and of it only the tail is kept. */
export interface OutputLimited {
  readonly type: "output.limited";
  readonly commandId: CommandId;
  readonly limitBytes: number;
  readonly scope: "command" | "runtime" | "disk";
  readonly action: "drop" | "end";
}

/** The file of an ended command was deleted, and with it what is in no memory. */
export interface OutputReleased {
  readonly type: "output.released";
  readonly commandId: CommandId;
  readonly path: string;
  /** The ranges that can be read no more; `to` is exclusive. */
  readonly gone: readonly { readonly from: number; readonly to: number }[];
  /**
   * It made room for the file of another command, as all together would exceed their quota
   * (`runtimeQuota`), or for newer commands, as more is kept of ended ones than was asked for
   * (`retention`).
   */
  readonly cause: "runtimeQuota" | "retention";
}

/** A reader that is remembered by name has read up to an offset. */
export interface OutputRead {
  readonly type: "output.read";
  readonly commandId: CommandId;
  readonly owner: string;
  readonly to: number;
}

/** The events of the folder `output`. */
export type OutputEvent =
  | OutputAppended
  | OutputSpilled
  | OutputSpillFailed
  | OutputLimited
  | OutputReleased
  | OutputRead;
