import type { Stdio } from "../../platform/stdio.ts";

/** Between two spaces, in milliseconds. */
const PROBE_MS = 1_000;

/**
 * Notice that the reader of our output is gone, as when it was killed, while nothing is written.
 *
 * Only a write shows that: it writes a space now and then, which JSON allows before a value.
 */
export function readerWatch({ out }: Pick<Stdio, "out">): {
  /** Rejects once the reader is gone. */
  readonly gone: Promise<never>;
  start(): void;
  stop(): void;
} {
  let reject: (cause: unknown) => void = () => {};
  const gone = new Promise<never>((_, fail) => {
    reject = fail;
  });
  let timer: ReturnType<typeof setInterval> | undefined;
  let stopped = false;
  return {
    gone,
    start: () => {
      if (!stopped) timer = setInterval(() => out(" ").catch(reject), PROBE_MS);
    },
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
