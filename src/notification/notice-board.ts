import { Observable, Subject, type Subscriber } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { NoticeEvent, NoticeId } from "../event/notice.ts";
import { shownValue } from "../value/shown.ts";
import type { Notice } from "./due-notice.ts";
import { noticeText, tailOfOneIn } from "./notice-text.ts";
import type { LiveCommand, NoticeTable } from "./notices.ts";

/** A notice as it is handed to its owner. */
export interface DeliveredNotice extends Notice {
  /** What a model reads: escaped, bounded, and marked with the nonce of the runtime. */
  readonly text: string;
}

/**
 * The notices of a runtime, pushed to its subscribers and pulled by {@linkcode Notices.drain}.
 *
 * A notice is handed out again, under the same id, until it is acknowledged: once to each
 * subscriber, and at every drain. One that an answer has reported meanwhile is not handed out.
 */
export interface Notices extends Observable<DeliveredNotice> {
  /** Marks every notice of this runtime; no command knows it. */
  readonly nonce: string;
  /** Every notice of an owner that is due; without an owner, those of all. */
  drain(owner?: string): Promise<readonly DeliveredNotice[]>;
  /** The owner knows these; unknown ids are ignored. */
  ack(ids: readonly NoticeId[], by?: "owner" | "answer"): void;
  /** The commands that run in the background now: the whole set, whatever notices were missed. */
  background(owner?: string): readonly LiveCommand[];
  /** Hold back the notices of a command whose end an answer is about to report. */
  claim(commandId: CommandId, owner: string | undefined): NoticeClaim;
}

/** Holds back the notices of one command. */
export interface NoticeClaim {
  /**
   * Hand them out again.
   *
   * @param reported Kinds of notices that the answer has reported: these are acknowledged.
   */
  release(reported?: "end" | "input"): void;
}

export interface NoticeBoardOptions {
  readonly nonce: string;
  readonly record: (event: NoticeEvent) => void;
  /** Resolves when what was recorded survives a loss of power. */
  readonly flush: () => Promise<void>;
  readonly tailOf: (commandId: CommandId) => Promise<string>;
  readonly table: () => NoticeTable;
}

/** Hands out notices, and remembers what was handed out by recording it. */
export class NoticeBoard {
  readonly #options: NoticeBoardOptions;
  readonly #changed: Subject<void> = new Subject();
  readonly #claims = new Set<Pick<Notice, "commandId"> & { readonly owner: string | undefined }>();

  constructor(options: NoticeBoardOptions) {
    this.#options = options;
  }

  /** Hand what has become due to the subscribers. */
  push(): void {
    this.#changed.next();
  }

  complete(): void {
    this.#changed.complete();
  }

  /** The board as its users see it. */
  get notices(): Notices {
    return Object.assign(new Observable<DeliveredNotice>((subscriber) => this.#push(subscriber)), {
      nonce: this.#options.nonce,
      drain: (owner?: string) => this.#deliver(this.#due(owner)),
      ack: (ids: readonly NoticeId[], by: "owner" | "answer" = "owner") => this.#ack(ids, by),
      background: (owner?: string) =>
        [...this.#options.table().live.values()].filter((live) =>
          live.background && (owner === undefined || live.owner === owner)
        ),
      claim: (commandId: CommandId, owner: string | undefined) => this.#claim(commandId, owner),
    });
  }

  #due(owner?: string): readonly Notice[] {
    return [...this.#options.table().due.values()].filter((notice) =>
      (owner === undefined || notice.owner === owner) && !this.#isClaimed(notice)
    );
  }

  #isClaimed({ commandId, owner }: Notice): boolean {
    return [...this.#claims].some((claim) =>
      claim.commandId === commandId && claim.owner === owner
    );
  }

  /** Write down that notices are handed out, and answer those that are still due then. */
  async #deliver(chosen: readonly Notice[]): Promise<readonly DeliveredNotice[]> {
    const { nonce, record, flush, tailOf } = this.#options;
    const maxTail = tailOfOneIn(chosen.length);
    const texts = await Promise.all(
      chosen.map(async (notice) => {
        const tail = await tailOf(notice.commandId).catch(() => undefined);
        return noticeText(notice, { nonce, tail, maxTail });
      }),
    );
    const isDue = ({ id }: Notice) => this.#options.table().due.has(id);
    const fresh = chosen.filter((notice) => isDue(notice) && !notice.delivered);
    if (fresh.length > 0) {
      record({ type: "notice.delivered", noticeIds: fresh.map(({ id }) => id) });
      // A log that fails has reported that itself: a second delivery is better than none.
      await flush().catch(() => {});
    }
    return chosen
      .map((notice, i) => ({ ...notice, text: texts[i] ?? "" }))
      .filter((notice) => isDue(notice) && !this.#isClaimed(notice));
  }

  #ack(ids: readonly NoticeId[], by: "owner" | "answer"): void {
    if (!Array.isArray(ids)) {
      throw new TypeError(`Cannot acknowledge ${shownValue(ids)}: it must be a list of notice ids`);
    }
    const noticeIds = ids.filter((id) => this.#options.table().due.has(id));
    if (noticeIds.length > 0) {
      this.#options.record({ type: "notice.acknowledged", noticeIds, by });
    }
  }

  #claim(commandId: CommandId, owner: string | undefined): NoticeClaim {
    const claim = { commandId, owner };
    this.#claims.add(claim);
    return {
      release: (reported) => {
        if (!this.#claims.has(claim)) return;
        if (reported !== undefined) {
          // The end of a command covers all that was to be reported of it.
          const covered = [...this.#options.table().due.values()].filter((notice) =>
            notice.commandId === commandId && notice.owner === owner &&
            (reported === "end" || notice.kind === "waitingForInput")
          );
          this.#ack(covered.map(({ id }) => id), "answer");
        }
        this.#claims.delete(claim);
        this.#changed.next();
      },
    };
  }

  /** Hand each notice to a subscriber once, in order. */
  #push(subscriber: Subscriber<DeliveredNotice>): () => void {
    let sent: ReadonlySet<NoticeId> = new Set();
    let pushing = false;
    const pump = async () => {
      if (pushing) return;
      pushing = true;
      try {
        for (;;) {
          const next = this.#due().find(({ id }) => !sent.has(id));
          if (next === undefined || subscriber.closed) return;
          const [delivered] = await this.#deliver([next]);
          if (delivered === undefined || subscriber.closed) continue;
          const { due } = this.#options.table();
          sent = new Set([...sent, next.id].filter((id) => due.has(id)));
          subscriber.next(delivered);
        }
      } finally {
        pushing = false;
      }
    };
    const follow = () => void pump().catch(() => {}); // the log was closed meanwhile
    const changes = this.#changed.subscribe({
      next: follow,
      complete: () => subscriber.complete(),
    });
    follow();
    return () => changes.unsubscribe();
  }
}
