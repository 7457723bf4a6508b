import { OrderedMap } from "immutable";
import { defined } from "../value/defined.ts";
import type { CommandId, CommandRequested } from "../event/command.ts";
import { endsCommand, type Recorded, type RuntimeEvent } from "../event/event.ts";
import type { NoticeId } from "../event/notice.ts";
import type { Projection } from "../event/project.ts";
import type { PersistentMap } from "../stream/persistent.ts";
import type { Notice } from "./due-notice.ts";

/** A command that has not ended, as far as notices need it. */
export interface LiveCommand
  extends Pick<Notice, "commandId" | "sessionId" | "command" | "description" | "owner"> {
  /** No caller waits for it: only then is a notice due. */
  readonly background: boolean;
  readonly detached: boolean;
  readonly requestedAt: number;
  /** How often it has asked for input. */
  readonly inputs: number;
}

/** Which notices are due, and which commands may bring more. */
export interface NoticeTable {
  readonly live: PersistentMap<CommandId, LiveCommand>;
  /** Due and not acknowledged, in the order in which they became due. */
  readonly due: PersistentMap<NoticeId, Notice>;
}

/** So many notices wait for their acknowledgement; the oldest go first. */
const MOST_DUE = 1_000;

/** The notices of a runtime: a fold over the log, so that a restart loses none. */
export const notices: Projection<NoticeTable> = {
  name: "notices",
  initial: { live: OrderedMap(), due: OrderedMap() },
  evolve,
};

/** The notice that becomes due by an event, seen from the state before it. Pure. */
function noticeOf(table: NoticeTable, { at, event }: Recorded): Notice | undefined {
  if (!("commandId" in event)) return undefined;
  const report = reportOf(event);
  const live = report && table.live.get(event.commandId);
  if (report === undefined || !live?.background) return undefined;
  const { background: _, requestedAt: __, inputs, ...command } = live;
  // A command ends once, and may ask for input more than once.
  const times = report.kind === "waitingForInput" ? `:${inputs + 1}` : "";
  return {
    ...command,
    id: `${live.commandId}:${report.kind}${times}`,
    at,
    delivered: false,
    ...report,
  };
}

function evolve(table: NoticeTable, recorded: Recorded): NoticeTable {
  const { event } = recorded;
  const notice = noticeOf(table, recorded);
  const now = followed(table, event, recorded.at);
  if (notice === undefined) return now;
  const due = now.due.set(notice.id, notice);
  const [oldest] = due.size > MOST_DUE ? due.keys() : [];
  return { ...now, due: oldest === undefined ? due : due.remove(oldest) };
}

function followed(table: NoticeTable, event: RuntimeEvent, at: number): NoticeTable {
  switch (event.type) {
    case "command.requested":
      if (event.notify === false) return table;
      return { ...table, live: table.live.set(event.commandId, liveCommand(event, at)) };
    case "task.promoted":
      return change(table, event.commandId, (live) => ({ ...live, background: true }));
    case "task.detached":
      return change(table, event.commandId, (live) => ({
        ...live,
        background: true,
        detached: true,
      }));
    case "execution.waitingForInput":
      return change(table, event.commandId, (live) => ({ ...live, inputs: live.inputs + 1 }));
    // The question is out of date.
    case "command.inputWritten":
      return withoutQuestions(table, event.commandId);
    case "notice.delivered":
      return {
        ...table,
        due: event.noticeIds.reduce((due, id) => {
          const notice = due.get(id);
          return notice === undefined ? due : due.set(id, { ...notice, delivered: true });
        }, table.due),
      };
    case "notice.acknowledged":
      return { ...table, due: event.noticeIds.reduce((due, id) => due.remove(id), table.due) };
    default: {
      if (!endsCommand(event)) return table;
      const { commandId } = event;
      if (!table.live.has(commandId)) return table;
      const left = withoutQuestions(table, commandId);
      return { ...left, live: left.live.remove(commandId) };
    }
  }
}

function liveCommand(request: CommandRequested, requestedAt: number): LiveCommand {
  const { commandId, sessionId, command, description, owner, background } = request;
  return {
    commandId,
    sessionId,
    command,
    ...defined({ description, owner }),
    background: background === true,
    detached: false,
    requestedAt,
    inputs: 0,
  };
}

function change(
  table: NoticeTable,
  commandId: CommandId,
  how: (live: LiveCommand) => LiveCommand,
): NoticeTable {
  const live = table.live.get(commandId);
  return live === undefined ? table : { ...table, live: table.live.set(commandId, how(live)) };
}

function withoutQuestions(table: NoticeTable, commandId: CommandId): NoticeTable {
  const asked = table.live.get(commandId)?.inputs ?? 0;
  if (asked === 0) return table;
  return { ...table, due: table.due.remove(`${commandId}:waitingForInput:${asked}`) };
}

/** What an event of a background command reports, where its owner has to know. */
function reportOf(
  event: RuntimeEvent,
): Pick<Notice, "kind" | "outcome" | "reason" | "durationMs" | "input"> | undefined {
  switch (event.type) {
    case "execution.exited": {
      const { outcome, durationMs } = event;
      const isSuccess = outcome.type === "exited" && outcome.code === 0;
      return { kind: isSuccess ? "completed" : "failed", outcome, durationMs };
    }
    case "execution.waitingForInput": {
      const { type: _, commandId: __, ...input } = event;
      return { kind: "waitingForInput", input };
    }
    case "command.cancelled":
      return { kind: "failed", reason: `It was cancelled before it ran (${event.by})` };
    default:
      return endsCommand(event) ? { kind: "failed", reason: event.reason } : undefined;
  }
}
