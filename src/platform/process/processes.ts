/** What distinguishes one process from every other: a pid alone is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to its start, as a decimal; absent where the system does not show it. */
  readonly startTime?: string;
}

/** A process as the system's table shows it. */
export interface ProcessInfo extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** One letter, as in `ps`: R running, S sleeping, D waiting for a device, T stopped, Z ended but not collected. */
  readonly state: string;
  /** It was forked and has not executed a program since; absent where the system does not show it. */
  readonly forked?: boolean;
}

/** The processes of a moment. */
export interface ProcessTable {
  /** All but this one, zombies included; empty where the system does not show them. */
  readonly all: readonly ProcessInfo[];
  /** Some may be missing: there was no descriptor left to read of them, say. */
  readonly partial?: boolean;
  /**
   * One of those whose variables were asked for was just executing a program: the system shows none of
   * it for a moment, and a look somewhat later shows whose it is.
   */
  readonly changing?: boolean;
  /** How long reading took so far, in milliseconds: variables and open files are read when they are asked for. */
  readonly spentMs?: number;
  /** The value of a variable in the environment that a process was started with; absent if unset or hidden. */
  variable(pid: number, name: string): string | undefined;
  /**
   * What the open files of a process are, as links in /proc show it; see {@linkcode ChildProcess.outputPipe}.
   * None of a child that does not execute its program yet.
   */
  openFiles(pid: number): readonly string[];
}

/** What is to be started, as the leader of a session and a process group of its own. */
export interface SpawnSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** It takes input, or has that of this process; absent: its standard input is at its end. */
  readonly input?: true | "inherit";
  /** It has a pipe as descriptor 3, for {@linkcode ExitStatus.report}. */
  readonly reports?: true;
}

/** The standard input of a process. */
export interface InputPipe {
  /**
   * Write bytes, in the order of the calls; they must stay as they are until it resolves.
   *
   * @returns Resolves once the kernel took them, and rejects when no process reads them any more.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** No more bytes follow those that were written. Idempotent. */
  end(): void;
}

/** How a process ended: either it has a code or a signal. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
  /** The first 4 KiB that it wrote to descriptor 3, where it had that. */
  readonly report?: string;
}

/** How a started process calls back; never before `spawn` has returned. */
export interface ProcessEvents {
  /** Both output streams, merged in true order. The chunk is valid only during the call. */
  readonly data: (chunk: Uint8Array) => void;
  /** Standard error, on a pipe of its own then: `data` gets standard output alone. */
  readonly errorData?: ((chunk: Uint8Array) => void) | undefined;
  /** No process holds the output any more, or it was released. */
  readonly end: () => void;
  /** It ended. Output may still be on its way. */
  readonly exit: (status: ExitStatus) => void;
  /** It could not start; nothing else follows. */
  readonly error: (cause: Error) => void;
}

/** A process that was started here. */
export interface ChildProcess extends ProcessIdentity {
  /** Which pipe its output is, as a link in /proc shows it; absent where the system does not show it. */
  readonly outputPipe?: string | undefined;
  /** The same of its standard error, where that has a pipe of its own. */
  readonly errorPipe?: string | undefined;
  /** Its input, if it takes any; it ends with the process at the latest. */
  readonly input?: InputPipe;
  /** Stop reading: the process blocks once the pipe is full. */
  pause(): void;
  /** Read on. */
  resume(): void;
  /** Read no more, although processes may still write; `end` follows. Idempotent. */
  release(): void;
}

/** How processes are started. */
export interface Spawning {
  /** `posix_spawn`: without a copy of this process; `runtime`: as Node or Deno does. */
  readonly kind: "posix_spawn" | "runtime";
  /** Why the runtime starts them. */
  readonly reason?: string;
}

/** The operating system, as far as processes go. */
export interface Processes {
  readonly spawning: Spawning;
  /**
   * Start a process; synchronous, so that there is no moment in which it runs unknown.
   *
   * @returns The process, or `undefined` when it could not start: then `events.error` follows.
   */
  spawn(spec: SpawnSpec, events: ProcessEvents): ChildProcess | undefined;
  /** Signal every member of a process group; answers whether there was one. Signal "0" only asks. */
  signalGroup(group: number, signal: string): boolean;
  /** Signal one process if it is still the one that is meant; answers whether it was. */
  signal(identity: ProcessIdentity, signal: string): boolean;
  /**
   * The processes as they are now, or were a few milliseconds ago; every own start is in it.
   *
   * @param fresh As they are now; `"turn"`: read in this turn of the event loop, once for all that ask.
   */
  table(fresh?: boolean | "turn"): ProcessTable;
  /** What `table` has answered last, and may answer again without a look; absent when it is sure to look. */
  lastTable(): ProcessTable | undefined;
  /** Whether a process that started after this one may live; `false` where that is not known quickly. */
  mayHaveFollowers(pid: number): boolean;
  /** The words that a process was started with; none where the system does not show them, or not yet. */
  argv(pid: number): readonly string[];
  /** The command line of a process; its name in brackets where it has none. */
  commandLine(pid: number): string;
  /** Free what is kept for later spawns. */
  close(): void;
}
