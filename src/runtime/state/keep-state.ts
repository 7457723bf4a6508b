import { endOrphans, type OrphansOptions } from "../../execution/tree/orphans.ts";
import { warn } from "../../platform/environment.ts";
import type { GuestOptions } from "../control/guest/guest-options.ts";
import type { OwningRuntime } from "../control/owner-methods.ts";
import { type Control, serveControl } from "../control/serve-control.ts";
import type { State } from "./open-state.ts";

/** What keeping a directory needs. */
export interface KeepOptions extends OrphansOptions {
  /** Commands are run for others, too. */
  readonly guests: GuestOptions | undefined;
}

/** What a runtime does for the directory that it owns, until it is closed. */
export interface KeptState {
  /** Let others own the directory. */
  close(): Promise<void>;
}

/** End what dead owners of the directory left, and answer other processes that ask about it. */
export async function keepState(
  runtime: OwningRuntime,
  { lock, directory }: State,
  { guests, ...orphans }: KeepOptions,
): Promise<KeptState> {
  const { dead } = lock;
  const isDead = (word: string) => dead.some((id) => word.startsWith(`${id}/`));
  const buried = (dead.length === 0 ? Promise.resolve([]) : endOrphans(isDead, orphans)).then(
    (survivors) => {
      if (survivors.length === 0) lock.forgetDead();
    },
    (cause: unknown) => {
      warn(`Cannot end what dead owners of "${directory}" left: ${String(cause)}`);
    },
  );
  let control: Control | undefined;
  try {
    control = await serveControl(runtime, { directory, clock: orphans.clock, guests });
  } catch (cause) {
    warn(`Cannot answer other processes about "${directory}": ${String(cause)}`);
  }
  return {
    close: async () => {
      await control?.close();
      await buried;
      lock.release();
    },
  };
}
