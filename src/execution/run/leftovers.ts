import type { Leftover } from "../../event/leftover.ts";
import type { RunBody } from "./run-body.ts";

/** So many looks in a row that may have missed one are believed, as it takes no process so long. */
const ENOUGH_LOOKS = 8;

/** Finds the processes that a command leaves behind, and looks through the process table only where there may be one. */
export class Leftovers {
  readonly #body: RunBody;
  #hadSome = false;
  #unsureLooks = 0;

  constructor(body: RunBody) {
    this.#body = body;
  }

  /** Whether one may have been missed, as it was just becoming another program. */
  get unsure(): boolean {
    return this.#unsureLooks > 0 && this.#unsureLooks < ENOUGH_LOOKS;
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
    this.#unsureLooks = tree.changing ? this.#unsureLooks + 1 : 0;
    // A table some milliseconds old may show what has just ended.
    const members = found.length > 0 && !this.#hadSome ? tree.membersNow() : found;
    this.#hadSome = members.length > 0;
    return this.#body.describe(members);
  }
}
