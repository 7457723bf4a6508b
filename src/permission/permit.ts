import { from, mergeMap, Observable, type ObservableInput } from "rxjs";
import type { Analysis } from "../event/analysis.ts";
import type { CommandId, CommandParsed, Order } from "../event/command.ts";
import type {
  Concern,
  PermissionDenied,
  PermissionEvent,
  PermissionGranted,
  PermittedOrder,
} from "../event/permission.ts";
import { defined } from "../value/defined.ts";
import { shown } from "../value/shown.ts";
import { type Ids, randomIds } from "../platform/ids.ts";
import { type Paths, systemPaths } from "../platform/file/paths.ts";
import { type Stage, stage } from "../stream/stage.ts";
import { type Asker, NO_ONE, type RuleStore } from "./asker.ts";
import { type ReadAnswer, readAnswer } from "./answer.ts";
import { judge, type JudgeFacts } from "./judge.ts";
import { type Judged, judgeTwice, type SecondOpinion } from "./judge-twice.ts";
import type { Policy } from "./policy.ts";
import type { Verdict } from "./verdict.ts";

/** What the permit stage needs. */
export interface PermitOptions {
  readonly policy: Policy;
  /** Names the questions; default: random names. */
  readonly ids?: Ids;
  /** Answers questions; without it, what would be asked is denied. */
  readonly asker?: Asker;
  /** Keeps the rules of the answer `always`. */
  readonly store?: RuleStore;
  /** Default: this machine's. */
  readonly paths?: Paths;
  /** Confirms the analysis of what would pass without a person; absent: nothing does. */
  readonly secondOpinion?: SecondOpinion;
  /** Analyses a line that was asked about once more: directories that it enters may be gone since. */
  readonly analyse?: (order: Order) => Analysis;
}

/** What commands are judged by: all by the same, or each by what is chosen when it is judged. */
export type PermitChoice = PermitOptions | ((commandId: CommandId) => PermitOptions);

/**
 * Allow, deny, or ask about each parsed command.
 *
 * Asking suspends its own command only. Unsubscribing aborts the question's signal.
 *
 * @returns A stage from `command.parsed` to `permission.*`.
 */
export function permit(choice: PermitChoice): Stage<CommandParsed, PermissionEvent> {
  return stage(
    "command.parsed",
    (parsed: CommandParsed): ObservableInput<PermissionEvent> => {
      const options = typeof choice === "function" ? choice(parsed.commandId) : choice;
      const judged = judgeTwice(parsed, {
        policy: options.policy,
        judge: (analysis) => judgeNow({ ...parsed, analysis }, options),
        secondOpinion: options.secondOpinion,
      });
      const decided = ({ analysis, verdict }: Judged) =>
        decide({ ...parsed, analysis }, verdict, options);
      return judged instanceof Promise ? from(judged).pipe(mergeMap(decided)) : decided(judged);
    },
  );
}

function decide(
  parsed: CommandParsed,
  verdict: Verdict,
  options: PermitOptions,
): ObservableInput<PermissionEvent> {
  switch (verdict.decision) {
    case "allow":
      return [granted(parsed, { by: verdict.by ?? "rule", rules: verdict.rules })];
    case "deny":
      return [denied(parsed, verdict)];
    case "ask": {
      const { asker, policy } = options;
      if (questionsOf(parsed, verdict).every((question) => policy.isAnswered(question))) {
        return [granted(parsed, { by: "answer", rules: [] })];
      }
      const reason = `${verdict.reason}, and ${NO_ONE}`;
      return asker === undefined
        ? [denied(parsed, { ...verdict, reason })]
        : asking(parsed, { verdict, options, asker });
    }
  }
}

/** The facts are taken each time: links may have changed since. */
function judgeNow({ order, analysis }: CommandParsed, options: PermitOptions): Verdict {
  const facts: JudgeFacts = {
    cwd: order.cwd,
    paths: options.paths ?? systemPaths,
    ...defined({ env: order.env?.names, state: order.state }),
    byUser: order.origin === "user",
  };
  return judge(analysis, options.policy, facts);
}

function asking(
  parsed: CommandParsed,
  { verdict, options, asker }: { verdict: Verdict; options: PermitOptions; asker: Asker },
): Observable<PermissionEvent> {
  const { commandId, order } = parsed;
  return new Observable((subscriber) => {
    const askId = (options.ids ?? randomIds).next("ask");
    const controller = new AbortController();
    const { concerns, suggestions } = verdict;
    const more = concerns.length > 1 ? ` (and ${concerns.length - 1} more)` : "";
    const summary = `Run "${shown(order.command, { most: 60 })}"? ${shown(verdict.reason)}${more}`;
    let open = true;
    subscriber.add(() => {
      if (open) controller.abort();
    });
    subscriber.next({ type: "permission.asked", commandId, askId, concerns });
    if (subscriber.closed) return;
    const answered = async (): Promise<readonly PermissionEvent[]> => {
      const answer = readAnswer(
        await asker({ askId, commandId, order, summary, concerns, suggestions }, controller.signal),
      );
      open = false;
      // The answer to a withdrawn question changes nothing.
      if (subscriber.closed) return [];
      subscriber.next({ type: "permission.answered", commandId, askId, answer });
      if (subscriber.closed) return [];
      return [await concluded(parsed, { answer, verdict, options })];
    };
    const finish = (events: readonly PermissionEvent[]) => {
      open = false;
      for (const event of events) subscriber.next(event);
      subscriber.complete();
    };
    answered().then(finish, (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      const reason = `the question could not be asked: ${why}`;
      finish([
        ...(open ? [{ type: "permission.withdrawn" as const, commandId, askId, reason }] : []),
        denied(parsed, { ...verdict, reason: `${verdict.reason}, and ${reason}` }),
      ]);
    });
  });
}

async function concluded(
  parsed: CommandParsed,
  { answer, verdict, options }: { answer: ReadAnswer; verdict: Verdict; options: PermitOptions },
): Promise<PermissionGranted | PermissionDenied> {
  if (answer.type === "deny") {
    const why = answer.reason === undefined ? "" : ` (${answer.reason})`;
    return denied(parsed, { ...verdict, reason: `the answer was no${why}: ${verdict.reason}` });
  }
  const analyses = [parsed.analysis, options.analyse?.(parsed.order) ?? []].flat();
  for (const analysis of analyses) {
    const again = judgeNow({ ...parsed, analysis }, options);
    if (again.decision === "deny") return denied(parsed, again);
    const changed = again.concerns.find(({ reason }) =>
      !verdict.concerns.some((known) => known.reason === reason)
    );
    if (changed === undefined) continue;
    const reason = `it changed while it was asked about: ${changed.reason}`;
    return denied(parsed, { ...again, ...changed, reason });
  }
  if (answer.type === "once") return granted(parsed, { by: "answer", rules: [] });
  const rules = verdict.suggestions;
  try {
    if (answer.type === "always") { for (const rule of rules) await options.store?.add(rule); }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return denied(parsed, { ...verdict, reason: `its rule cannot be kept: ${why}` });
  }
  for (const rule of rules) options.policy.addAllow(rule);
  for (const question of questionsOf(parsed, verdict)) options.policy.addAnswered(question);
  return granted(parsed, { by: "answer", rules });
}

/**
 * What an answer is bound to: the line, where and in what it runs, and each reason to ask about it. A
 * line that is asked about for fewer reasons than before, as a rule covers the others, was answered.
 */
function questionsOf({ order }: CommandParsed, { concerns }: Verdict): readonly string[] {
  const { command, cwd, dialect, env, state } = order;
  const bound = [command, cwd, dialect, env?.reveal(), state];
  return concerns.map(({ reason }) => JSON.stringify([...bound, reason]));
}

/** The one place where an order becomes a permitted one. */
function granted(
  { commandId, order }: CommandParsed,
  given: Pick<PermissionGranted, "by" | "rules">,
): PermissionGranted {
  return { type: "permission.granted", commandId, order: order as PermittedOrder, ...given };
}

function denied(
  { commandId, order }: CommandParsed,
  { reason, rule, span, tool }: Concern & Pick<Verdict, "tool">,
): PermissionDenied {
  return {
    type: "permission.denied",
    commandId,
    reason: `Cannot run "${shown(order.requested ?? order.command)}": ${reason}`,
    ...defined({ rule, span, tool }),
  };
}
