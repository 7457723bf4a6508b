import type { Leftover } from "../../event/leftover.ts";
import type { RunBody } from "./run-body.ts";

/** Finds the processes that a command leaves behind, and looks through the process table only where there may be one. */
export class Leftovers {
  readonly #body: RunBody;
  #hadSome = false;

  constructor(body: RunBody) {
    this.#body = body;
  }

  /** Whether one may have been missed, as it was just becoming another program. */
  get unsure(): boolean {
    return this.#body.tree.changing;
  }

  /**
   * @param outputEnded Whether no process holds the output any more.
   * @param surely Look in any case.
   */
  find(outputEnded: boolean, surely = false): readonly Leftover[] {
    const { tree } = this.#body;
    const sign = surely || !outputEnded || this.#hadSome || this.unsure ||
      this.#body.mayHaveLeft();
    if (!sign && !this.#body.othersMayLive?.()) return [];
    const found = sign ? tree.survey() : tree.members();
    // A table some milliseconds old may show what has just ended.
    const members = found.length > 0 && !this.#hadSome ? tree.membersNow() : found;
    this.#hadSome = members.length > 0;
    return this.#body.describe(members);
  }
}
