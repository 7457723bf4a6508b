import type { CommandId, SessionId } from "../event/command.ts";
import type { Outcome } from "../event/execution.ts";
import type { NoticeId } from "../event/notice.ts";
import type { InputWait } from "../screen/input-wait.ts";

/** What a notice reports. */
export type NoticeKind = "completed" | "failed" | "waitingForInput";

/** Something that happened to a background command and that its owner has to know. */
export interface Notice {
  readonly id: NoticeId;
  readonly kind: NoticeKind;
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  /** The owner of the command; absent: its caller named none. */
  readonly owner?: string;
  readonly command: string;
  readonly description?: string;
  /** The command outlives its host. */
  readonly detached: boolean;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  /** How the process ended; absent where none ran or it goes on. */
  readonly outcome?: Outcome;
  /** Why the command never ran, or was lost. */
  readonly reason?: string;
  /** From start to end, in milliseconds. */
  readonly durationMs?: number;
  /** What the command asks for; with `waitingForInput`. */
  readonly input?: InputWait;
  /** It was handed out before, and not acknowledged. */
  readonly delivered: boolean;
}

/** The name of a notice among the system events of an agent. */
export function noticeName({ kind, detached }: Pick<Notice, "kind" | "detached">): string {
  switch (kind) {
    case "completed":
      return detached ? "shell_detached_completed" : "shell_completed";
    case "failed":
      return detached ? "shell_detached_failed" : "shell_failed";
    case "waitingForInput":
      return "shell_waiting_for_input";
  }
}
