import { Conversation } from "../../control/conversation.ts";
import { DisconnectedError, RefusedError } from "../../control/conversation-errors.ts";
import type { Method } from "../../control/method.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { connectLines } from "../../platform/control/line-channel.ts";
import { type DirectoryOwner, OwnedError, ownerOf } from "../../platform/owner/owner-lock.ts";
import { control, CONTROL_VERSION } from "./protocol.ts";

/** How an owner is reached. */
export interface ConnectOptions<T> {
  /** Default {@linkcode systemClock}. */
  readonly clock?: Clock;
  /** What the owner may ask in turn. */
  readonly methods?: readonly Method[];
  /** The owner has to run commands for others. */
  readonly guests?: boolean;
  /**
   * Does the work where there is no owner, or makes one and answers `undefined`; absent: that is an
   * error. With it, a request that an owner refuses because it is closing is made again.
   */
  readonly otherwise?: () => Promise<T | undefined>;
  /** A request whose answer was lost is made again. */
  readonly idempotent?: boolean;
}

/**
 * How often an owner is tried that does not listen, and the pause between, in milliseconds: it may have
 * a long log to read, or commands to end.
 */
const TRIES = 200;
const PAUSE_MS = 100;
/** One that was stopped, or hangs, takes connections all the same: how long its first answer may take, in milliseconds. */
const SILENT_MS = 5_000;

/**
 * Connect to the owner of a directory, ask it, and disconnect.
 *
 * Several processes may try to own the directory at the same time: its lock leaves one.
 *
 * @throws {RefusedError} When the owner answers that it cannot do that.
 * @throws {Error} When there is no owner that answers, or it is stopped or hung.
 */
export async function withOwner<T>(
  directory: string,
  use: (owner: Conversation) => Promise<T>,
  options: ConnectOptions<T> = {},
): Promise<T> {
  const { clock = systemClock, otherwise, idempotent = false } = options;
  let state = "there is none any more";
  for (let tried = 0; tried < TRIES; tried++) {
    const owner = await ownerOf(directory);
    if (owner === undefined && otherwise === undefined) break;
    try {
      if (owner === undefined) {
        const result = await otherwise?.();
        if (result !== undefined) return result;
        continue;
      }
      const peer = await connectOwner(directory, owner, options);
      if (peer !== undefined) return await use(peer).finally(() => peer.close());
      state = `process ${owner.pid} does not listen`;
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const passes = cause instanceof OwnedError ||
        otherwise !== undefined && isClosing(cause) ||
        idempotent && cause instanceof DisconnectedError;
      if (!passes) {
        throw cause instanceof DisconnectedError ? cannot(directory, message, cause) : cause;
      }
      state = message;
    }
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
  }
  throw cannot(directory, state);
}

/** A conversation with an owner of this version; `undefined` while it does not listen. */
async function connectOwner(
  directory: string,
  { pid, socket }: DirectoryOwner,
  { clock = systemClock, methods = [], guests: needed = false }: ConnectOptions<unknown>,
): Promise<Conversation | undefined> {
  const channel = await connectLines(socket).catch(() => undefined);
  if (channel === undefined) return undefined;
  const peer = new Conversation(channel, { methods });
  peer.read().catch(() => {}); // its requests reject for the same reason
  let cancel = () => {};
  const silence = new Promise<never>((_, reject) => {
    const why = `process ${pid} has given no sign of life for ${SILENT_MS / 1_000} s; ` +
      `continue it if it was stopped (kill -CONT ${pid}), or end it`;
    cancel = clock.after(SILENT_MS, () => reject(cannot(directory, why)));
  });
  try {
    const ping = peer.request(control.ping, { version: CONTROL_VERSION });
    const { guests } = await Promise.race([ping, silence]).finally(() => cancel());
    if (guests || !needed) return peer;
    throw new Error(
      `Cannot use a session in "${directory}": process ${pid} owns it and runs nothing for ` +
        "others; wait until it has ended, or use another directory",
    );
  } catch (cause) {
    peer.close();
    if (cause instanceof DisconnectedError || isClosing(cause)) return undefined;
    throw cause;
  }
}

function cannot(directory: string, state: string, cause?: unknown): Error {
  return new Error(`Cannot ask the owner of "${directory}": ${state}`, { cause });
}

function isClosing(cause: unknown): boolean {
  return cause instanceof RefusedError && cause.closing;
}
