import { Conversation } from "../../control/conversation.ts";
import { DisconnectedError, RefusedError } from "../../control/conversation-errors.ts";
import type { Method } from "../../control/method.ts";
import type { Clock } from "../../platform/clock.ts";
import { connectLines } from "../../platform/control/line-channel.ts";
import { type DirectoryOwner, ownerOf } from "../../platform/owner/owner-lock.ts";
import { threadsAtWork } from "../../platform/process/threads-at-work.ts";
import { SilentError, withLivenessProbe } from "./liveness-probe.ts";
import { control, CONTROL_VERSION } from "./protocol.ts";

/** How an owner is reached. */
export interface ConnectOptions {
  readonly clock: Clock;
  /** What the owner may ask in turn. */
  readonly methods?: readonly Method[];
  /** The owner has to run commands for others. Starts one where there is none, or where the last one is closing. */
  readonly start?: () => Promise<void>;
}

/** How often an owner is tried that does not listen, and the pause between, in milliseconds. */
const TRIES = 20;
const PAUSE_MS = 100;
/** A try that finds an owner at work counts less: it may have a long log to read, or commands to end. */
const AT_WORK = 0.1;

/**
 * Connect to the owner of a directory, ask it, and disconnect.
 *
 * Several processes may start an owner at the same time: the lock of the directory leaves one.
 *
 * @param use Is called again with another owner only if it was refused because one is closing, and
 *   another can be started.
 * @throws {Error} When there is no owner that answers, or it is stopped or hung.
 */
export async function withOwner<T>(
  directory: string,
  use: (owner: Conversation) => Promise<T>,
  options: ConnectOptions,
): Promise<T> {
  const { clock, start } = options;
  let state = "there is none any more";
  for (let attempt = 0; attempt < TRIES;) {
    const owner = await ownerOf(directory);
    if (owner === undefined) {
      if (start === undefined) break;
      await start();
      attempt += AT_WORK;
      continue;
    }
    state = `process ${owner.pid} does not listen`;
    try {
      const peer = await connectOwner(directory, owner, options);
      if (peer !== undefined) return await use(peer).finally(() => peer.close());
    } catch (cause) {
      if (isUnanswered(cause)) throw cannot(directory, cause.message, cause);
      if (start === undefined || !isClosing(cause)) throw cause;
      state = `process ${owner.pid} is closing`;
    }
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
    attempt += threadsAtWork(owner.pid) === 0 ? 1 : AT_WORK;
  }
  throw cannot(directory, state);
}

/** A conversation with an owner of this version; `undefined` while it does not listen. */
async function connectOwner(
  directory: string,
  { pid, socket }: DirectoryOwner,
  { clock, methods = [], start }: ConnectOptions,
): Promise<Conversation | undefined> {
  const channel = await connectLines(socket).catch(() => undefined);
  if (channel === undefined) return undefined;
  const peer = new Conversation(withLivenessProbe(channel, { pid, clock }), { methods });
  peer.read().catch(() => {}); // its requests reject for the same reason
  try {
    const { guests } = await peer.request(control.ping, { version: CONTROL_VERSION });
    if (guests || start === undefined) return peer;
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

/** Whether an error says that nothing is known of the request. */
export function isUnanswered(cause: unknown): cause is Error {
  return cause instanceof DisconnectedError || cause instanceof SilentError;
}
