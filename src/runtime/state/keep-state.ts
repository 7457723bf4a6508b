import { endOrphans, type OrphansOptions } from "../../execution/tree/orphans.ts";
import { warn } from "../../platform/environment/environment.ts";
import type { GuestOptions } from "../control/guest/guests.ts";
import type { OwningRuntime } from "../control/owner-methods.ts";
import { serveControl } from "../control/serve-control.ts";
import type { State } from "./open-state.ts";

/**
 * End what dead owners of the directory left, and answer other processes that ask about it.
 *
 * @returns Lets others own the directory.
 */
export async function keepState(
  runtime: OwningRuntime,
  { lock, directory }: State,
  { guests, ...orphans }: OrphansOptions & { readonly guests: GuestOptions | undefined },
): Promise<() => Promise<void>> {
  const { dead } = lock;
  const isDead = (word: string) => dead.some((id) => word.startsWith(`${id}/`));
  const orphansEnded = (dead.length === 0 ? Promise.resolve([]) : endOrphans(isDead, orphans)).then(
    (survivors) => {
      if (survivors.length === 0) lock.forgetDead();
    },
    (cause: unknown) => {
      warn(`Cannot end what dead owners of "${directory}" left: ${String(cause)}`);
    },
  );
  let closeControl: (() => Promise<void>) | undefined;
  try {
    closeControl = await serveControl(runtime, { directory, clock: orphans.clock, guests });
  } catch (cause) {
    warn(`Cannot answer other processes about "${directory}": ${String(cause)}`);
  }
  return async () => {
    await closeControl?.();
    await orphansEnded;
    lock.release();
  };
}
