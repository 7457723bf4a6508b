import { defined } from "../value/defined.ts";
import type { CommandRequested, ExecutorChoice, Origin, SessionId } from "../event/command.ts";
import type { Executor } from "../execution/executor.ts";
import { absolutePath } from "../platform/file/paths.ts";
import type { Ids } from "../platform/ids.ts";
import { chooseExecutor, type ExecutorPreference } from "../session/choose-executor.ts";
import { reusable } from "../session/reuse.ts";
import { openSession, type Session, type SessionOptions } from "../session/actor.ts";
import type { SessionTable } from "../session/sessions.ts";
import type { SessionState } from "../session/session-state.ts";
import type { RunOptions } from "./call/request.ts";

/** How sessions of a runtime work. */
export interface SessionPoolOptions
  extends Omit<SessionOptions, "id" | "executor" | "choose" | "insteadOf"> {
  readonly ids: Ids;
  readonly executor: Executor;
  /** Which executor runs commands that name none. */
  readonly preference: (origin: Origin) => ExecutorPreference;
  readonly table: () => SessionTable;
}

/** The session that a command goes to. */
export interface Seat {
  readonly session: Session;
  /** The session takes this command only, and closes. */
  readonly closesAfter: boolean;
  /** The session stands where the command is to run. */
  readonly isThere: boolean;
  /** There was a session of its name before. */
  readonly resumed: boolean;
}

/** The open sessions of a runtime, and which of them takes a command. */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  /** The sessions of a name that have not closed: the first is open, each next one opens after it. */
  readonly #sessions = new Map<SessionId, readonly Session[]>();
  /** Those whose name an earlier one had. */
  readonly #resumed = new WeakSet<Session>();

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  /** The open session of a name, if there is one. */
  get(id: SessionId): Session | undefined {
    const session = this.#sessions.get(id)?.at(-1);
    // A session that is about to close takes no more commands; a new one of its name follows it.
    return session?.state.closing === undefined ? session : undefined;
  }

  /** Open a session by name, in a directory; one that is open stays as it is. */
  open(id: SessionId, cwd: string = this.#options.cwd): Session {
    return this.get(id) ?? this.#open({ id, cwd, kept: true });
  }

  /** Find the session for a command by its id, by its owner, or one of its own. */
  seat(options: RunOptions): Seat {
    const found = this.#wanted(options);
    const wanted = { ...found, resumed: this.#resumed.has(found.session) };
    const { session: { id: insteadOf, busy, state: { cwd } } } = wanted;
    if (options.overlap !== "isolate" || !busy) return wanted;
    const id = this.#options.ids.next("session");
    return {
      ...wanted,
      session: this.#open({ id, cwd, kept: true, insteadOf }),
      closesAfter: true,
    };
  }

  /** Free the shell of a session, unless it is in use. */
  rest(id: SessionId): void {
    this.#sessions.get(id)?.[0]?.send({ type: "rest" });
  }

  /** A session of this name has closed: open the next one that waits for the name. */
  openNext(id: SessionId): void {
    const [closed, next, ...later] = this.#sessions.get(id) ?? [];
    if (closed?.state.closed !== true) return;
    if (next === undefined) return void this.#sessions.delete(id);
    this.#sessions.set(id, [next, ...later]);
    next.send({ type: "open" });
  }

  close(): void {
    for (const session of [...this.#sessions.values()].flat()) {
      session.send({ type: "close", reason: "The runtime closed", now: true });
    }
  }

  #wanted(
    { sessionId, owner, cwd: asked, origin = "model" }: RunOptions,
  ): Omit<Seat, "resumed"> {
    const { ids, cwd: home, checkDirectory } = this.#options;
    if (sessionId !== undefined) {
      return { session: this.open(sessionId), closesAfter: false, isThere: false };
    }
    const cwd = absolutePath(home, asked ?? ".");
    if (owner === undefined || checkDirectory(cwd) !== undefined) {
      const session = this.#open({ id: ids.next("session"), cwd: home, kept: false });
      return { session, closesAfter: true, isThere: false };
    }
    const known = this.get(reusable(this.#options.table(), { owner, cwd, origin }) ?? "");
    const session = known?.busy === false
      ? known
      : this.#open({ id: ids.next("session"), cwd, kept: true });
    return { session, closesAfter: false, isThere: true };
  }

  #open(
    { id, cwd, kept, insteadOf }: {
      readonly id: SessionId;
      readonly cwd: string;
      readonly kept: boolean;
      readonly insteadOf?: SessionId;
    },
  ): Session {
    // The events and shells of two sessions of one name could not be distinguished.
    const earlier = this.#sessions.get(id) ?? [];
    const session = openSession({
      ...this.#options,
      id,
      cwd,
      insteadOf,
      moves: kept && insteadOf === undefined,
      choose: (request, state) => this.#choose(request, state, kept),
    });
    this.#sessions.set(id, [...earlier, session]);
    if (this.#options.table().byId.has(id)) this.#resumed.add(session);
    // A reader of the event that says so may close it, or the runtime.
    if (earlier.length === 0) session.send({ type: "open" });
    return session;
  }

  #choose(
    request: CommandRequested,
    { shellOrigin }: SessionState,
    kept: boolean,
  ): ExecutorChoice | undefined {
    const { preference, executor } = this.#options;
    const preferred = preference(request.origin);
    const { terminal } = request;
    // There was no choice to report.
    const usual = request.executor === undefined && terminal === undefined;
    if (usual && preferred === "process") return undefined;
    const { name, capabilities: { persistent }, refuses } = executor;
    // One that refuses a command gives the reason itself.
    const pinned = persistent || terminal || refuses
      ? undefined
      : `the executor "${name}" keeps no shell`;
    return chooseExecutor(request, {
      preference: preferred,
      kept,
      ...defined({ pinned, shellOrigin }),
    });
  }
}
