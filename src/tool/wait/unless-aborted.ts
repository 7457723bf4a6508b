import { firstValueFrom, map, merge } from "rxjs";
import { abortOf } from "../../stream/abort-of.ts";

/** Wait for something as long as a call is not aborted; it goes on all the same. */
export async function unlessAborted<T>(
  made: Promise<T>,
  signal: AbortSignal | undefined,
  refusal: () => Error,
): Promise<T> {
  const aborted = abortOf(signal).pipe(map((): never => {
    throw refusal();
  }));
  return await firstValueFrom(merge(made, aborted));
}
