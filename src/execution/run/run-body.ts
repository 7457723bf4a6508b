import type { Outcome } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { ExitStatus, InputPipe, ProcessInfo } from "../../platform/process/processes.ts";
import type { PipeReader } from "../../platform/pipe/pipe-reader.ts";
import type { TerminalSize } from "../../platform/terminal/terminals.ts";
import type { LiveScreen } from "../executor.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import type { Sent } from "./outcome.ts";

/** What a kind of executor provides for one command; the rest of its life is the same for all kinds. */
export interface RunBody {
  /** The processes of the command. */
  readonly tree: ProcessTree;
  /** Where its bytes come from; absent: they go elsewhere, as to a file. */
  readonly output?: PipeReader;
  /** Absent: it takes no input. */
  readonly input?: InputPipe | undefined;
  /** What its terminal shows; absent: it has none. */
  readonly screen?: LiveScreen | undefined;
  /** The words of the processes that read its input; absent: those of all of its processes. */
  readers?(): readonly (readonly string[])[];
  /** Send a signal on request; answers whether there was a process to take it. */
  signal(name: string): boolean;
  /** Change the size of its terminal; answers whether it has one. */
  resize?(size: TerminalSize): boolean;
  /** Whether there is a sign of a process that is left, worth a fresh look through the process table. */
  mayHaveLeft(): boolean;
  /** Whether one may be left that shed all but its mark, worth a look at a table that was read already. */
  othersMayLive?(): boolean;
  /** How it ended, where that is not what the status says; `undefined`: it is. */
  outcome?(status: ExitStatus, sent: Sent): Outcome | undefined;
  /** Describe processes of it for people. */
  describe(members: readonly ProcessInfo[]): readonly Leftover[];
  /** The kill protocol is over. */
  killed?(): void;
  /** The run is over: every process of it has ended, or is no longer looked for. */
  released?(): void;
}
