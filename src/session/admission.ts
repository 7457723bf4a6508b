import {
  type CommandAdmitted,
  type CommandId,
  type CommandRejected,
  type CommandRequested,
  type DialectName,
  type ExecutorChoice,
  type Order,
  type Origin,
  SHELL_STATE_KINDS,
  type ShellState,
} from "../event/command.ts";
import type { EnvValues } from "../event/env-values.ts";
import type { SessionMoved } from "../event/session.ts";
import { type DirectoryCheck, nearestDirectory } from "../platform/file/directories.ts";
import { absolutePath } from "../platform/file/paths.ts";
import { defined } from "../value/defined.ts";
import { fixUp } from "./fix-up.ts";
import { foldCd, type PlacedLine } from "./fold-cd.ts";
import type { SessionState } from "./session-state.ts";

/** A file that each bash runs before its line. */
export interface BashEnv {
  readonly path: string;
  readonly state: ShellState;
}

/** What decides how a command is admitted. */
export interface AdmissionOptions {
  readonly checkDirectory: DirectoryCheck;
  /** The session goes on in the nearest directory above when its own was removed; default `true`. */
  readonly moves?: boolean;
  /** Chooses the executor of a command; default a process of its own. */
  readonly choose?:
    | ((request: CommandRequested, state: SessionState) => ExecutorChoice | undefined)
    | undefined;
  readonly dialectOf?: ((origin: Origin) => DialectName) | undefined;
  /** The file of `BASH_ENV`, and what it defines in each bash, as it is now; absent: there is none yet. */
  readonly bashEnv?: (() => BashEnv | undefined) | undefined;
  /** The variables of a command, its own and those that earlier ones left. */
  readonly leftVariables?:
    | ((own: EnvValues | undefined) => Pick<Order, "env" | "envFileRefused">)
    | undefined;
  /** Take what only shortens the output from lines. */
  readonly fixUps?: boolean;
  /**
   * Whether a leading `cd` to a directory may be left out of what is judged, and become the directory of
   * a command that has a process of its own; absent: lines stay.
   */
  readonly mayFold?: ((commandId: CommandId, directory: string) => boolean) | undefined;
}

/** What comes of the next command: it is admitted, or these events say why not. */
export type Admission = CommandAdmitted | {
  readonly type: "rejected";
  readonly events: readonly (SessionMoved | CommandAdmitted | CommandRejected)[];
  /** The session goes on in another directory. */
  readonly moves: boolean;
};

/** Take the facts of the moment at which a command is to run. */
export function admit(
  state: SessionState,
  request: CommandRequested,
  options: AdmissionOptions,
): Admission {
  const { checkDirectory, moves = true } = options;
  const { commandId } = request;
  const { sessionId } = state;
  const cwd = absolutePath(state.cwd, request.cwd ?? ".");
  const problem = checkDirectory(cwd);
  const executor = options.choose?.(request, state);
  const admitted: CommandAdmitted = {
    type: "command.admitted",
    commandId,
    sessionId,
    order: orderOf(state, request, { ...options, cwd, executor }),
    ...(executor && { executor }),
  };
  if (problem === undefined) return admitted;
  const reason = `Cannot run in "${cwd}": ${problem}`;
  const reject = (commandId: CommandId, reason: string) =>
    ({ type: "command.rejected", commandId, reason }) as const;
  const nearest = request.cwd === undefined && moves
    ? nearestDirectory(cwd, checkDirectory)
    : undefined;
  if (nearest === undefined) {
    return { type: "rejected", events: [admitted, reject(commandId, reason)], moves: false };
  }
  const moved = {
    type: "session.moved",
    sessionId,
    cwd: nearest,
    reason: `Cannot stay in "${cwd}": ${problem}`,
  } as const;
  // What was asked for before the move was meant for the directory that is gone.
  const meantForIt = state.waiting.filter(({ cwd: asked = "." }) =>
    absolutePath(cwd, asked) !== absolutePath(nearest, asked)
  );
  const rejected = meantForIt.map((waiting) =>
    reject(waiting.commandId, `${reason}; the session goes on in "${nearest}"`)
  );
  return { type: "rejected", events: [admitted, moved, ...rejected], moves: true };
}

function orderOf(
  { sessionId, shellState, cwd: sessionCwd }: SessionState,
  asked: CommandRequested,
  facts: AdmissionOptions & Pick<Order, "cwd"> & { readonly executor: ExecutorChoice | undefined },
): Order {
  const { cwd, executor: { kind } = {}, dialectOf, fixUps = false } = facts;
  const dialect = asked.dialect ?? dialectOf?.(asked.origin) ?? "bash";
  const fixed = fixUps && dialect === "bash" ? fixUp(asked.command) : undefined;
  const request = fixed === undefined ? asked : { ...asked, command: fixed.line };
  const { command, origin, env, limits, detach, input, split, terminal } = request;
  const variables = facts.leftVariables?.(env) ?? defined({ env });
  const bashEnv = facts.bashEnv?.();
  const brought = dialect === "bash" ? bashEnv?.state : undefined;
  const isShell = kind === "shell" || kind === "terminalShell";
  const line = isShell ? { command, cwd } : placed(request, facts);
  const common = {
    sessionId,
    ...line,
    ...(line.command !== asked.command && { requested: asked.command }),
    ...(fixed && { removed: fixed.removed }),
    dialect,
    origin,
    limits,
    ...variables,
    ...defined({ detach, input, split, bashEnv: bashEnv?.path }),
    ...((kind === "terminal" || kind === "terminalShell") && { terminal }),
  };
  if (!isShell) return { ...common, ...defined({ state: brought }) };
  const shell = request.cwd === undefined ? {} : { returns: sessionCwd };
  return { ...common, shell, state: brought ? joined(brought, shellState) : shellState };
}

/** What either brings: a later command takes nothing of it from the next shell. */
function joined(one: ShellState, other: ShellState): ShellState {
  return Object.fromEntries(
    SHELL_STATE_KINDS.map((
      kind,
    ) => [kind, [...new Set([...one[kind] ?? [], ...other[kind] ?? []])]]),
  );
}

/** The line and its directory, a leading `cd` made part of that where none was given. */
function placed(
  { commandId, command, cwd: asked, env }: CommandRequested,
  { cwd, mayFold, checkDirectory }: AdmissionOptions & Pick<Order, "cwd">,
): PlacedLine {
  // With a CDPATH of its own, `cd` could lead elsewhere.
  const stays = asked !== undefined || mayFold === undefined || env?.names.includes("CDPATH");
  if (stays) return { command, cwd };
  const allows = (directory: string) => mayFold(commandId, directory);
  return foldCd({ command, cwd }, { checkDirectory, allows });
}
