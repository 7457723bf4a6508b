import type { CancelTimer } from "../../platform/clock.ts";
import type { ChildProcess } from "../../platform/process/processes.ts";
import { lookUntil } from "../tree/look-until.ts";
import { ProcessTree } from "../tree/process-tree.ts";
import type { AttachedOptions } from "./attached-options.ts";
import type { RunBody } from "./run-body.ts";

/** What a leader needs beside its process. */
export interface LeaderOptions
  extends Pick<AttachedOptions, "processes" | "clock" | "watchdog" | "background" | "runtimeId"> {
  readonly commandId: string;
  /** It is a container, of which nothing survives. */
  readonly contained?: boolean;
}

/** The process that was started for one command, as the leader of a session and a group. */
export class Leader {
  /** Its part of the body of the run. */
  readonly body: Pick<
    RunBody,
    "tree" | "signal" | "mayHaveLeft" | "othersMayLive" | "describe" | "released"
  >;
  readonly #child: ChildProcess;
  readonly #options: LeaderOptions;
  #watched = true;
  #cancelWatch: CancelTimer = () => {};

  constructor(child: ChildProcess, options: LeaderOptions) {
    const { processes, watchdog, background, contained = false } = options;
    const mark = `${options.runtimeId}/${options.commandId}`;
    this.#child = child;
    this.#options = options;
    watchdog?.register(child);
    const tree = new ProcessTree(processes, {
      root: child,
      isMark: (word) => word === mark,
      contained,
      isOutput: (link) => link === child.outputPipe || link === child.errorPipe,
    });
    this.body = {
      tree,
      signal: (name) => tree.signalGroup(name),
      mayHaveLeft: () => tree.groupAlive,
      // A process that is to be ended is looked for at any cost.
      othersMayLive: () =>
        !contained && (background === "end" || processes.mayHaveFollowers(child.pid)),
      describe: (left) => tree.describe(left),
      released: () => this.#release(),
    };
  }

  /** It has exited. */
  exited(): void {
    const { tree } = this.body;
    tree.leaderEnded();
    // A group is released when it is empty, although processes that left it may hold the output for
    // long: its number may come to belong to others.
    this.#cancelWatch = lookUntil(this.#options.clock, () => {
      if (tree.groupAlive) return false;
      this.#release();
      return true;
    });
  }

  #release(): void {
    this.#cancelWatch();
    if (this.#watched) this.#options.watchdog?.release(this.#child.pid);
    this.#watched = false;
  }
}
