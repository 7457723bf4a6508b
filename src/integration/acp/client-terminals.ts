/**
 * The parts of the Agent Client Protocol that are used, as its SDK has them: the package itself is not
 * needed.
 */

/** An agent's side of a connection: an `AgentContext`, or the `AgentSideConnection` of older SDKs. */
export interface ClientTerminals {
  /** `terminal/create`. */
  createTerminal(params: CreateTerminalParams): Promise<ClientTerminal>;
}

/** What is asked of the client: to start a program as it is given, without a shell of its own. */
export interface CreateTerminalParams {
  sessionId: string;
  command: string;
  args: string[];
  env: { name: string; value: string }[];
  /** Absolute. */
  cwd: string;
  /** How much of the output the client keeps; what exceeds it is dropped from the beginning. */
  outputByteLimit: number;
}

/** A terminal of the client, with one command. */
export interface ClientTerminal {
  readonly id: string;
  /** `terminal/output`. */
  currentOutput(): Promise<TerminalSnapshot>;
  /** `terminal/wait_for_exit`. */
  waitForExit(): Promise<TerminalExit>;
  /** `terminal/kill`: the terminal stays valid. */
  kill(): Promise<unknown>;
  /** `terminal/release`: kills what still runs, and frees the terminal. */
  release(): Promise<unknown>;
}

/** What a terminal of the client has printed, as far as the client keeps it. */
export interface TerminalSnapshot {
  readonly output: string;
  /** Part of the output was dropped. */
  readonly truncated: boolean;
  /** Absent while the command runs. */
  readonly exitStatus?: TerminalExit | null | undefined;
}

/** How the command of a terminal ended. */
export interface TerminalExit {
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
}
