import { Conversation } from "../../control/conversation.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  controlPath,
  prepareControlPath,
  removeControlPath,
} from "../../platform/control/control-path.ts";
import { outsideProof } from "../../platform/control/outside-proof.ts";
import { type LineChannel, listenLines } from "../../platform/control/line-channel.ts";
import { type GuestOptions, guestsOf } from "./guest/guests.ts";
import { ownerMethods, type OwningRuntime } from "./owner-methods.ts";
import { MAX_REQUEST_BYTES } from "./protocol.ts";

/** How long the end waits for answers that are due, in milliseconds. */
const LAST_ANSWERS_MS = 500;

/**
 * Answer other processes of this user, but those in a sandbox, about the tasks of a runtime.
 *
 * @returns Takes no more requests, and removes the socket.
 */
export async function serveControl(
  runtime: OwningRuntime,
  { directory, clock, guests: options }: {
    readonly directory: string;
    readonly clock: Clock;
    readonly guests?: GuestOptions | undefined;
  },
): Promise<() => Promise<void>> {
  const path = controlPath(directory);
  prepareControlPath(path);
  const guests = options && guestsOf(runtime, options, clock);
  const conversations = new Set<Conversation>();
  const serve = async (channel: LineChannel) => {
    const methods = ownerMethods(runtime, { guests, proof: () => outsideProof(directory) });
    const conversation = new Conversation(channel, { methods });
    conversations.add(conversation);
    await conversation.read().catch(() => {}); // a client that cannot be answered is gone
    conversation.close();
    conversations.delete(conversation);
  };
  try {
    const listener = await listenLines(path, {
      maxLineBytes: MAX_REQUEST_BYTES,
      onChannel: (channel) => void serve(channel),
    });
    return async () => {
      guests?.close();
      const closed = listener.close();
      let cancel = () => {};
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(LAST_ANSWERS_MS, resolve);
      });
      await Promise.all([...conversations].map((conversation) => conversation.finish(late)));
      cancel();
      await closed;
      removeControlPath(path);
    };
  } catch (cause) {
    guests?.close();
    removeControlPath(path);
    throw cause;
  }
}
