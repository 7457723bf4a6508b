import { Observable } from "rxjs";
import type { CommandId, CommandParsed, Order } from "../event/command.ts";
import type {
  Concern,
  PermissionDenied,
  PermissionEvent,
  PermissionGranted,
  PermittedOrder,
} from "../event/permission.ts";
import { shown } from "../event/shown.ts";
import type { Ids } from "../platform/ids.ts";
import { type Paths, systemPaths } from "../platform/file/paths.ts";
import { type Stage, stage } from "../stream/stage.ts";
import { type ReadAnswer, readAnswer } from "./answer.ts";
import type { Asker, RuleStore } from "./asker.ts";
import { judge, type JudgeFacts } from "./judge.ts";
import type { Policy } from "./policy.ts";
import type { Verdict } from "./verdict.ts";

/** What the permit stage needs. */
export interface PermitOptions {
  readonly policy: Policy;
  readonly ids: Ids;
  /** Who is asked; without anyone, what would be asked is denied. */
  readonly asker?: Asker;
  /** Where the answer `always` is kept. */
  readonly store?: RuleStore;
  /** Default: this machine's. */
  readonly paths?: Paths;
}

/** By what commands are judged: all by the same, or each by what is chosen when its turn to be judged has come. */
export type PermitChoice = PermitOptions | ((commandId: CommandId) => PermitOptions);

/**
 * Let pass, deny, or ask about each parsed command.
 *
 * Asking suspends its own command only. Unsubscribing aborts the question's signal.
 *
 * @returns A stage from `command.parsed` to `permission.*`.
 */
export function permit(choice: PermitChoice): Stage<CommandParsed, PermissionEvent> {
  return stage(
    "command.parsed",
    (parsed: CommandParsed): Observable<PermissionEvent> | PermissionEvent[] => {
      const options = typeof choice === "function" ? choice(parsed.commandId) : choice;
      const verdict = judgeNow(parsed, options);
      switch (verdict.decision) {
        case "allow":
          return [granted(parsed, { by: verdict.by ?? "rule", rules: verdict.rules })];
        case "deny":
          return [denied(parsed, verdict)];
        case "ask":
          if (options.asker !== undefined) {
            return asking(parsed, {
              verdict,
              options,
              asker: options.asker,
            });
          }
          return [
            denied(parsed, { ...verdict, reason: `nobody is there to ask: ${verdict.reason}` }),
          ];
      }
    },
  );
}

/** The facts are taken anew each time: links may have changed since. */
function judgeNow({ order, analysis }: CommandParsed, options: PermitOptions): Verdict {
  const facts: JudgeFacts = {
    cwd: order.cwd,
    paths: options.paths ?? systemPaths,
    ...(order.env !== undefined && { env: order.env.names }),
    ...(order.state !== undefined && { state: order.state }),
  };
  return judge(analysis, options.policy, facts);
}

interface Asking {
  readonly verdict: Verdict;
  readonly options: PermitOptions;
  readonly asker: Asker;
}

function asking(
  parsed: CommandParsed,
  { verdict, options, asker }: Asking,
): Observable<PermissionEvent> {
  const { commandId, order } = parsed;
  return new Observable((subscriber) => {
    const askId = options.ids.next("ask");
    const controller = new AbortController();
    const { concerns, suggestions } = verdict;
    let open = true;
    subscriber.add(() => {
      if (open) controller.abort();
    });
    subscriber.next({ type: "permission.asked", commandId, askId, concerns });
    if (subscriber.closed) return;
    const answered = async (): Promise<readonly PermissionEvent[]> => {
      const answer = readAnswer(
        await asker({ askId, commandId, order, concerns, suggestions }, controller.signal),
      );
      open = false;
      // A question that went away changes nothing, whatever is answered.
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
      const reason = `nobody could be asked: ${
        cause instanceof Error ? cause.message : String(cause)
      }`;
      finish([
        ...(open ? [{ type: "permission.withdrawn" as const, commandId, askId, reason }] : []),
        denied(parsed, { ...verdict, reason }),
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
  const again = judgeNow(parsed, options);
  if (again.decision === "deny") return denied(parsed, again);
  const changed = again.concerns.find(({ reason }) =>
    !verdict.concerns.some((known) => known.reason === reason)
  );
  if (changed !== undefined) {
    return denied(parsed, {
      ...again,
      ...changed,
      reason: `it changed while it was asked about: ${changed.reason}`,
    });
  }
  if (answer.type === "always") {
    for (const rule of verdict.suggestions) {
      await options.store?.add(rule);
    }
  }
  const rules = answer.type === "once" ? [] : verdict.suggestions;
  for (const rule of rules) options.policy.addAllow(rule);
  return granted(parsed, { by: "answer", rules });
}

function granted(
  { commandId, order }: CommandParsed,
  { by, rules }: Pick<PermissionGranted, "by" | "rules">,
): PermissionGranted {
  return { type: "permission.granted", commandId, order: permitted(order), by, rules };
}

/** The one place where an order becomes a permitted one. */
function permitted(order: Order): PermittedOrder {
  return order as PermittedOrder;
}

function denied(
  { commandId, order }: CommandParsed,
  { reason, rule, span }: Concern,
): PermissionDenied {
  return {
    type: "permission.denied",
    commandId,
    reason: `Cannot run "${shown(order.command)}": ${reason}`,
    ...(rule !== undefined && { rule }),
    ...(span !== undefined && { span }),
  };
}
