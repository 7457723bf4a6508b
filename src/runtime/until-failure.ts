import { messageOf } from "../platform/failure.ts";
import { warn } from "../platform/environment/environment.ts";

/** A function of an embedder that is called no more after its first failure, which is a warning. */
export function untilFailure<Arguments extends readonly unknown[], Result>(
  call: (...given: Arguments) => Result,
  { otherwise, warning }: {
    /** What it answers from then on. */
    readonly otherwise: (...given: Arguments) => Result;
    readonly warning: string;
  },
): (...given: Arguments) => Result {
  let failed = false;
  return (...given) => {
    if (failed) return otherwise(...given);
    try {
      return call(...given);
    } catch (cause) {
      failed = true;
      warn(`${warning}: ${messageOf(cause)}`);
      return otherwise(...given);
    }
  };
}
