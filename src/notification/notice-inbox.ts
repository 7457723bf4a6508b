import type { NoticeId } from "../event/notice.ts";
import type { DeliveredNotice, Notices } from "./notice-board.ts";

/**
 * Hands the notices of an owner to a model that acknowledges nothing.
 *
 * Each is handed out once. That the model is called again proves that what it was given before has
 * reached it: only then are those acknowledged, and until then a restart hands them out again.
 */
export class NoticeInbox {
  readonly #notices: Pick<Notices, "drain" | "ack">;
  readonly #owner: string;
  readonly #placed = new PlacedNotices();
  #given: ReadonlySet<NoticeId> = new Set();

  constructor(notices: Pick<Notices, "drain" | "ack">, owner: string) {
    this.#notices = notices;
    this.#owner = owner;
  }

  /** What was given before has reached the model. */
  received(): void {
    this.#notices.ack([...this.#given]);
    this.#given = new Set();
  }

  /** The notices that were not given yet. */
  async take(): Promise<readonly DeliveredNotice[]> {
    const due = await this.#notices.drain(this.#owner);
    const fresh = due.filter(({ id }) => !this.#given.has(id));
    this.#given = new Set([...this.#given, ...fresh.map(({ id }) => id)]);
    return fresh;
  }

  /**
   * The messages of the next call of a model, with the notices that were not given yet behind them,
   * and those that were given by earlier calls in their places.
   *
   * @param messageOf Makes the message that carries a text.
   */
  async into<Message, Added>(
    messages: readonly Message[],
    messageOf: (text: string) => Added,
  ): Promise<(Message | Added)[]> {
    this.received();
    const notices = await this.take();
    if (notices.length > 0) {
      this.#placed.add(messages, notices.map(({ text }) => text).join("\n"));
    }
    return this.#placed.insert(messages, messageOf);
  }
}

/** Where a text was added to a conversation. */
interface Placed {
  readonly text: string;
  /** How many messages stood before it, and the last of them as JSON. */
  readonly at: number;
  readonly after: string;
}

/**
 * Keeps texts in their places in a conversation: a framework forgets what is added for one call of
 * its model.
 *
 * A conversation that was cut or rewritten before a text has no place for it any more.
 */
export class PlacedNotices {
  #placed: readonly Placed[] = [];
  #length = 0;

  /** Add a text behind these messages, which are those of the last call and what followed. */
  add(messages: readonly unknown[], text: string): void {
    const place = { text, at: messages.length, after: json(messages.at(-1)) };
    this.#placed = [...this.#placed, place];
  }

  /** The messages of the next call with the texts that are not among them. */
  insert<Message, Added>(
    messages: readonly Message[],
    messageOf: (text: string) => Added,
  ): (Message | Added)[] {
    const goesOn = messages.length >= this.#length;
    this.#length = messages.length;
    this.#placed = this.#placed.filter(({ at, after }) =>
      goesOn && json(messages[at - 1]) === after
    );
    const all: (Message | Added)[] = [...messages];
    for (const { at, text } of this.#placed.toReversed()) {
      if (!json(messages[at]).includes(json(text))) all.splice(at, 0, messageOf(text));
    }
    return all;
  }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
