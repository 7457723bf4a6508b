import { Conversation } from "../../control/conversation.ts";
import { DisconnectedError, RefusedError } from "../../control/conversation-errors.ts";
import type { Method } from "../../control/method.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { connectLines } from "../../platform/control/line-channel.ts";
import { outsideProof } from "../../platform/control/outside-proof.ts";
import { type DirectoryOwner, OwnedError, ownerOf } from "../../platform/owner/owner-lock.ts";
import { attempt, messageOf } from "../../platform/failure.ts";
import { defined } from "../../value/defined.ts";
import { control, CONTROL_VERSION } from "./protocol.ts";

/** How an owner is reached. */
export interface ConnectOptions<T> {
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
 * @throws {RefusedError} When the owner answers that it cannot do that.
 * @throws {Error} When there is no owner that answers, or it is stopped or hung.
 */
export async function withOwner<T>(
  directory: string,
  use: (owner: Conversation) => Promise<T>,
  options: ConnectOptions<T> = {},
): Promise<T> {
  const connection = new OwnerConnection(directory, options);
  try {
    return await connection.ask(use);
  } finally {
    connection.close();
  }
}

/** A conversation with an owner, and the pid of that. */
interface Peer {
  readonly pid: number;
  readonly conversation: Conversation;
}

/** Asks the owner of a directory, again and again on one connection for as long as that lasts. */
export class OwnerConnection<T> {
  readonly #directory: string;
  readonly #options: ConnectOptions<T>;
  #peer: Peer | undefined;

  constructor(directory: string, options: ConnectOptions<T> = {}) {
    this.#directory = directory;
    this.#options = options;
  }

  /** Disconnect. Idempotent. */
  close(): void {
    this.#peer?.conversation.close();
    this.#peer = undefined;
  }

  /** Ask the owner. Several processes may try to become that at the same time: its lock leaves one. */
  async ask(use: (owner: Conversation) => Promise<T>): Promise<T> {
    const { clock = systemClock, otherwise, idempotent = false } = this.#options;
    let state = "there is none any more";
    for (let tried = 0; tried < TRIES; tried++) {
      const owner = this.#peer ?? await ownerOf(this.#directory);
      if (owner === undefined && otherwise === undefined) break;
      try {
        if (owner === undefined) {
          const result = await otherwise?.();
          if (result !== undefined) return result;
          continue;
        }
        this.#peer = await this.#reach(owner);
        if (this.#peer !== undefined) return await use(this.#peer.conversation);
        state = `process ${owner.pid} does not listen`;
      } catch (cause) {
        const message = messageOf(cause);
        const passes = cause instanceof OwnedError ||
          otherwise !== undefined && isClosing(cause) ||
          idempotent && cause instanceof DisconnectedError;
        if (!passes) {
          throw cause instanceof DisconnectedError ? this.#cannot(message, cause) : cause;
        }
        state = message;
      }
      await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve));
    }
    throw this.#cannot(state);
  }

  /** An owner of this version that has just given a sign of life; `undefined` while it does not listen. */
  async #reach(owner: Peer | DirectoryOwner): Promise<Peer | undefined> {
    const conversation = "socket" in owner ? await this.#connect(owner.socket) : owner.conversation;
    if (conversation === undefined) return undefined;
    const { pid } = owner;
    try {
      const { guests } = await this.#ping({ pid, conversation });
      if (guests || this.#options.guests !== true) return { pid, conversation };
      throw new Error(
        `Cannot use a session in "${this.#directory}": process ${pid} owns it and runs nothing for ` +
          "others; wait until it has ended, or use another directory",
      );
    } catch (cause) {
      conversation.close();
      this.#peer = undefined;
      if (cause instanceof DisconnectedError || isClosing(cause)) return undefined;
      throw cause;
    }
  }

  async #connect(socket: string): Promise<Conversation | undefined> {
    const channel = await connectLines(socket).catch(() => undefined);
    if (channel === undefined) return undefined;
    const { methods = [] } = this.#options;
    const conversation = new Conversation(channel, { methods });
    conversation.read().catch(() => {}); // its requests reject for the same reason
    return conversation;
  }

  async #ping({ pid, conversation }: Peer): Promise<{ readonly guests: boolean }> {
    const { clock = systemClock } = this.#options;
    let cancel = () => {};
    const silence = new Promise<never>((_, reject) => {
      const why = `process ${pid} has given no sign of life for ${SILENT_MS / 1_000} s; ` +
        `continue it if it was stopped (kill -CONT ${pid}), or end it`;
      cancel = clock.after(SILENT_MS, () => reject(this.#cannot(why)));
    });
    const ping = conversation.request(control.ping, {
      version: CONTROL_VERSION,
      // Where it cannot be made, as in a sandbox, the owner says what that means.
      ...defined({ proof: attempt(() => outsideProof(this.#directory)) }),
    });
    return await Promise.race([ping, silence]).finally(() => cancel());
  }

  #cannot(state: string, cause?: unknown): Error {
    return new Error(`Cannot ask the owner of "${this.#directory}": ${state}`, { cause });
  }
}

function isClosing(cause: unknown): boolean {
  return cause instanceof RefusedError && cause.closing;
}
