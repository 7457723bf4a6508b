import type { Observable } from "rxjs";
import type { Recorded } from "../../event/event.ts";
import type { Notices } from "../../notification/notice-board.ts";
import type { ToolSuite } from "../../tool/create-tools.ts";
import type { OpenQuestions } from "./open-questions.ts";

/**
 * What is served to a client of tools; in a file without schemas, which the types of the package must not need.
 */
export interface ToolService {
  /** The id of the runtime whose tools these are. */
  readonly runtimeId: string;
  readonly tools: ToolSuite;
  readonly notices: Notices;
  /** Whose notices are sent. */
  readonly owner: string;
  /** Sent as they happen; absent: no events are. */
  readonly events?: Observable<Recorded>;
  /** Questions that the client answers; absent: the runtime denies what it would ask. */
  readonly questions?: OpenQuestions;
}
