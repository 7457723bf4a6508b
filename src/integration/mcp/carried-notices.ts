import type { NoticeId } from "../../event/notice.ts";
import type { DeliveredNotice, Notices } from "../../notification/notice-board.ts";

/**
 * Notices that travel with the results of tools, as those of the protocol do not reach a model.
 *
 * The protocol acknowledges nothing: a later request of the client proves that it has read the
 * results before it.
 */
export class CarriedNotices {
  readonly #notices: Pick<Notices, "drain" | "ack">;
  readonly #owner: string;
  #sent: ReadonlySet<NoticeId> = new Set();

  constructor(notices: Pick<Notices, "drain" | "ack">, owner: string) {
    this.#notices = notices;
    this.#owner = owner;
  }

  /** A request has come. */
  requested(): void {
    this.#notices.ack([...this.#sent]);
    this.#sent = new Set();
  }

  /** What travels with the next result. */
  async take(): Promise<readonly DeliveredNotice[]> {
    const due = await this.#notices.drain(this.#owner);
    const fresh = due.filter(({ id }) => !this.#sent.has(id));
    this.#sent = new Set([...this.#sent, ...fresh.map(({ id }) => id)]);
    return fresh;
  }
}
