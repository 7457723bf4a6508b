import { systemClock } from "../../platform/clock.ts";
import { ownerAt } from "../../runtime/control/client.ts";
import { type HostConversation, meetHost } from "../../runtime/control/host-conversation.ts";
import { startHost } from "./start-host.ts";

/** How often a host is tried that does not listen yet, or does not any more, and the pause between, in milliseconds. */
const TRIES = 300;
const PAUSE_MS = 100;

/**
 * Connect to the host of a directory, which is started where there is none.
 *
 * Several processes may start one at the same time: the lock of the directory leaves one of them.
 *
 * @throws {Error} When there can be none.
 */
export async function reachHost(
  directory: string,
  options: { readonly idleSeconds: number },
): Promise<HostConversation> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await ownerAt(directory) === undefined) await startHost(directory, options);
    const conversation = await meetHost(directory);
    if (conversation !== undefined) return conversation;
    await new Promise<void>((resolve) => void systemClock.after(PAUSE_MS, resolve));
  }
  throw new Error(`Cannot reach the host of "${directory}": it neither answers nor ends`);
}
