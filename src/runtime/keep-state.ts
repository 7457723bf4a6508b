import { endStrays, type StraysOptions } from "../execution/strays.ts";
import { warn } from "../platform/environment.ts";
import type { State } from "./state.ts";

/** What a runtime does for the directory that it owns, until it is closed. */
export interface KeptState {
  /** Let others own the directory. */
  close(): Promise<void>;
}

/** End what dead owners of the directory left. */
export function keepState({ lock, directory }: State, strays: StraysOptions): KeptState {
  const buried = endStrays(lock.dead, strays).then(
    (gone) => {
      if (gone) lock.buried();
    },
    (cause: unknown) => {
      warn(`Cannot end what dead owners of "${directory}" left: ${String(cause)}`);
    },
  );
  return {
    close: async () => {
      await buried;
      lock.release();
    },
  };
}
