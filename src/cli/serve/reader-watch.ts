import type { Stdio } from "../../platform/stdio.ts";

/** Between two spaces, in milliseconds. */
const PROBE_MS = 1_000;

/**
 * Notices that the reader of our output is gone, as when it was killed, while nothing is written.
 *
 * Only a write shows that: it writes a space now and then, which JSON allows before a value.
 */
export class ReaderWatch {
  readonly #stdio: Pick<Stdio, "out">;
  readonly gone: Promise<never>;
  #reject: (cause: unknown) => void = () => {};
  #timer: ReturnType<typeof setInterval> | undefined;
  #stopped = false;

  constructor(stdio: Pick<Stdio, "out">) {
    this.#stdio = stdio;
    this.gone = new Promise((_, reject) => {
      this.#reject = reject;
    });
  }

  start(): void {
    if (this.#stopped) return;
    this.#timer = setInterval(() => this.#stdio.out(" ").catch(this.#reject), PROBE_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }
}
