/** Names one notice: derived from its command and its kind, so that it is the same after a restart. */
export type NoticeId = string;

/** Notices were handed to their owner; they are handed out again until they are acknowledged. */
export interface NoticeDelivered {
  readonly type: "notice.delivered";
  readonly noticeIds: readonly NoticeId[];
}

/** The owner knows: the notices are not delivered again. */
export interface NoticeAcknowledged {
  readonly type: "notice.acknowledged";
  readonly noticeIds: readonly NoticeId[];
  /** The owner acknowledged them, or a tool's answer had already reported the same. */
  readonly by: "owner" | "answer";
}

/** All events of the folder `notification`. */
export type NoticeEvent = NoticeDelivered | NoticeAcknowledged;
