import type { ShellState } from "../event/command.ts";

/** What an analysis must know besides the line. */
export interface AnalysisFacts {
  /** Absolute. */
  readonly cwd: string;
  /** What `~` stands for; absent: known only at run time. */
  readonly home?: string;
  /** Names of variables that come with the line, beside those of the host. */
  readonly env?: readonly string[];
  /** Where `$SHELLFLOW_ENV_FILE` is, absolute; absent: there is none. */
  readonly envFile?: string;
  /** The top of the work tree of git around `cwd`; absent: known only at run time. */
  readonly workTree?: () => string | undefined;
  /** What `$0` is in a fresh shell; absent: known only at run time. */
  readonly self?: string;
  /** What is at a path when the line is judged, see `Paths.place`; absent: known only at run time. */
  readonly place?: (path: string) => "directory" | "free" | undefined;
  /** What a persistent shell brings with it. */
  readonly state?: ShellState;
}
