import { catchError, concatMap, defer, finalize, from, mergeMap, Observable, of, race } from "rxjs";
import * as v from "valibot";
import type { CommandChanged, CommandParsed, CommandRejected, Limits } from "./event/command.ts";
import { EnvValues } from "./event/env-values.ts";
import type { EnvBuilt } from "./event/env.ts";
import type { PermissionGranted } from "./event/permission.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { messageOf } from "./platform/failure.ts";
import { shownValue } from "./value/shown.ts";
import { type Happened, hasCommand, type Stage } from "./stream/stage.ts";

/** The answer of a gate that stops a command. */
export interface Stopped {
  readonly pass: false;
  /** Why; it becomes the reason of `command.rejected`. */
  readonly reason: string;
}

/** The answer of a gate that lets a command pass as it is. */
export interface Passed {
  readonly pass: true;
}

/** The answer of a gate that lets a command pass, with what may still change before it starts. */
export interface PassedWith extends Passed {
  /** Variables of this command alone, over those that it has. */
  readonly env?: Readonly<Record<string, string>>;
  /** In place of the limits that it has. */
  readonly limits?: Limits;
}

/**
 * Decides about an event before the next stage sees it; the command waits for the answer.
 *
 * @param signal Aborts when the command was given up meanwhile.
 */
export type Decide<Event, Pass extends Passed = Passed> = (
  event: Event,
  signal: AbortSignal,
) => Pass | Stopped | Promise<Pass | Stopped>;

/** A gate in front of a stage. */
export interface GateBefore<Before, Event, Pass extends Passed = Passed> {
  /** Names the gate in events and reasons. */
  readonly name: string;
  readonly before: Before;
  readonly decide: Decide<Event, Pass>;
  /** How long it may take, in milliseconds; then the command is stopped. Default 0: any time. */
  readonly timeoutMs?: number;
}

/** A gate in front of `permit`: it sees what the line would run. */
export type PermitGate = GateBefore<"permit", CommandParsed>;
/** A gate in front of `construct`: it sees commands that were granted. */
export type ConstructGate = GateBefore<"construct", PermissionGranted>;
/** A gate in front of `execute`: the last one, which may still change variables and limits. */
export type ExecuteGate = GateBefore<"execute", EnvBuilt, PassedWith>;

/** Holds every command in front of a stage until it has decided about it. */
export type Gate = PermitGate | ConstructGate | ExecuteGate;

/** What a gate adds to the events of a command. */
export type GateEvent = CommandChanged | CommandRejected;

/** The kind of event that each gate holds back. */
const HELD = {
  permit: "command.parsed",
  construct: "permission.granted",
  execute: "env.built",
} as const;

/**
 * Hold back each command in front of a stage until the gate has decided.
 *
 * A gate that throws, rejects, or answers anything that its type does not name stops the command:
 * what is not recognised never passes. Unsubscribing aborts the signal that the gate got.
 *
 * @returns An operator that passes events on, and `command.rejected` in place of one that is stopped.
 *
 * @example Record each command before it starts, and let only those pass that are on a list
 * ```ts
 * import { createRuntime, type Gate } from "shellflow";
 *
 * const audit: string[] = [];
 * const gate: Gate = {
 *   name: "audit",
 *   before: "execute",
 *   decide: ({ invocation: { command } }) => {
 *     audit.push(command);
 *     if (command !== "echo hi") return { pass: false, reason: "it is not on the list" };
 *     return { pass: true, env: { AUDITED: "yes" } };
 *   },
 * };
 * await using runtime = await createRuntime({ mode: "bypass", gates: [gate] });
 * const { outcome } = await runtime.run("echo ho");
 * if (outcome.type !== "rejected" || audit.length !== 1) throw new Error("unexpected");
 * ```
 */
export function gate(options: PermitGate): Stage<CommandParsed, GateEvent>;
export function gate(options: ConstructGate): Stage<PermissionGranted, GateEvent>;
export function gate(options: ExecuteGate): Stage<EnvBuilt, GateEvent>;
export function gate(options: Gate): Stage<never, GateEvent> {
  return hold([options]);
}

/** The same for several gates in front of one stage, which decide one after the other. */
export function hold(
  gates: readonly Gate[],
  clock: Pick<Clock, "after" | "jumps"> = systemClock,
): <E extends Happened>(events: Observable<E>) => Observable<E | GateEvent> {
  const own = clock.jumps === true ? systemClock : clock;
  return <E extends Happened>(events: Observable<E>) =>
    gates.reduce<Observable<E | GateEvent>>((held, { name, before, decide, timeoutMs = 0 }) => {
      // The types pair each gate with the events that it holds.
      const ask = decide as Decide<Happened>;
      return held.pipe(mergeMap((event): Observable<E | GateEvent> => {
        if (event.type !== HELD[before] || !hasCommand(event)) return of(event);
        return race(answerTo(event, ask), lateAnswer(timeoutMs, own)).pipe(
          concatMap((answer) => follow(event, readAnswer(answer), name)),
        );
      }));
    }, events);
}

/** What the gate answers; what it throws is an answer that is none. */
function answerTo(event: Happened, decide: Decide<Happened>): Observable<unknown> {
  return defer((): Observable<unknown> => {
    const controller = new AbortController();
    const answer: unknown = decide(event, controller.signal);
    const answered = answer instanceof Promise ? from(answer) : of(answer);
    return answered.pipe(finalize(() => controller.abort()));
  }).pipe(
    catchError((cause: unknown) => of({ pass: false, reason: `it failed: ${messageOf(cause)}` })),
  );
}

/** What counts as the answer of a gate that takes too long. */
function lateAnswer(timeoutMs: number, clock: Pick<Clock, "after">): Observable<Stopped> {
  const reason = `it has not answered within ${timeoutMs / 1_000} s`;
  return new Observable((subscriber) => {
    if (timeoutMs === 0) return;
    return clock.after(timeoutMs, () => {
      subscriber.next({ pass: false, reason });
      subscriber.complete();
    });
  });
}

const limit = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const ANSWER = v.variant("pass", [
  v.strictObject({ pass: v.literal(false), reason: v.string() }),
  v.strictObject({
    pass: v.literal(true),
    env: v.optional(v.record(v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/)), v.string())),
    limits: v.optional(
      v.strictObject({ timeoutMs: limit, idleTimeoutMs: limit, promoteAfterMs: limit }),
    ),
  }),
]);

function readAnswer(answer: unknown): Stopped | PassedWith {
  if (v.is(ANSWER, answer)) return answer as Stopped | PassedWith;
  return { pass: false, reason: `it answered ${shownValue(answer)}` };
}

function follow<E extends Happened & { readonly commandId: string }>(
  event: E,
  answer: Stopped | PassedWith,
  name: string,
): Observable<E | GateEvent> {
  const { commandId } = event;
  const stopped = (reason: string): CommandRejected => ({
    type: "command.rejected",
    commandId,
    reason: `Cannot pass the gate "${name}": ${reason}`,
  });
  if (!answer.pass) return of(stopped(answer.reason));
  const { env, limits } = answer;
  if (env === undefined && limits === undefined) return of(event);
  if (!isBuilt(event)) return of(stopped("only a gate before execute can change a command"));
  const changed: CommandChanged = {
    type: "command.changed",
    commandId,
    by: name,
    ...(env && { env: new EnvValues(env) }),
    ...(limits && { limits }),
  };
  return from([changed, withChanges(event, changed)]);
}

function isBuilt<E extends Happened>(event: E): event is E & EnvBuilt {
  return event.type === "env.built";
}

function withChanges<E extends EnvBuilt>(event: E, { env, limits }: CommandChanged): E {
  const { invocation } = event;
  const over = (values: EnvValues | undefined) =>
    new EnvValues({ ...values?.reveal(), ...env?.reveal() });
  const { shell } = invocation;
  return {
    ...event,
    invocation: {
      ...invocation,
      ...(env && { env: over(invocation.env) }),
      ...(env && shell && { shell: { ...shell, overrides: over(shell.overrides) } }),
      ...(limits && { limits }),
    },
  };
}
