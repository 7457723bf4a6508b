import type { EventLog } from "../event/log/log.ts";
import type { Executor } from "../execution/executor.ts";
import type { ByteLogs } from "../output/byte-logs.ts";
import type { PermitOptions } from "../permission/permit.ts";
import type { Clock } from "../platform/clock.ts";
import type { Processes } from "../platform/process/processes.ts";
import type { Ids } from "../platform/ids.ts";
import type { Mask } from "../text/mask.ts";
import type { Programs } from "../command/program/programs.ts";
import type { PipelineOptions } from "../pipeline.ts";
import type { RuntimeOptions } from "./options/options.ts";
import type { OpenRecorded } from "./output/read-output.ts";
import type { SessionPoolOptions } from "./session-pool.ts";
import type { Projected } from "./state/projections.ts";

/** The parts that a runtime is composed of. */
export interface HostParts {
  readonly id: string;
  readonly cwd: string;
  /** The home directory, for paths in what is typed. */
  readonly home: string;
  readonly options: RuntimeOptions;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: EventLog;
  readonly logs: ByteLogs;
  readonly executor: Executor;
  readonly processes: Processes;
  readonly programs: Programs;
  readonly graceCutoff: AbortController;
  /** Hides secrets in text that is made of outputs; absent: there are none. */
  readonly mask: Mask | undefined;
  /** What commands are judged by that bring no rules of their own. */
  readonly permit: PermitOptions;
  readonly sessions: Omit<
    SessionPoolOptions,
    "cwd" | "ids" | "clock" | "executor" | "pipeline" | "record" | "table" | "mayFold"
  >;
  readonly pipeline: Omit<PipelineOptions, "permit">;
  /** Opens what the log on disk holds of a task's output. */
  readonly recorded?: OpenRecorded | undefined;
  /** Resolves when what was recorded survives a loss of power. */
  readonly intend?: (() => Promise<void>) | undefined;
  /** What the log held before this runtime. */
  readonly earlier?: Projected;
  /** Called last when the runtime closes. */
  readonly release?: () => Promise<void>;
}
