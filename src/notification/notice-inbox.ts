import type { NoticeId } from "../event/notice.ts";
import type { DeliveredNotice, Notices } from "./notice-board.ts";
import { PlacedNotices } from "./placed-notices.ts";

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
