import { shownValue } from "../../value/shown.ts";

/** An option of a runtime that only this machine shows to be of no use. */
export class OptionError extends TypeError {
  override readonly name = "OptionError";

  constructor(option: string, value: unknown, why: string) {
    super(`Cannot create a runtime with ${option} ${shownValue(value)}: ${why}`);
  }
}
