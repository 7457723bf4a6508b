import fc from "fast-check";
import type { CommandAdmitted, Order } from "../../src/event/command.ts";
import type { RuntimeEvent } from "../../src/event/event.ts";
import { EnvValues } from "../../src/event/env-values.ts";
import type { ExecutionExited } from "../../src/event/execution.ts";
import type { PermittedOrder } from "../../src/event/permission.ts";

const env = new EnvValues({ LEVEL: "7" });
const limits = { timeoutMs: 1000 };
const order: Order = {
  sessionId: "session_0",
  command: "make",
  cwd: "/home/me",
  dialect: "bash",
  origin: "model",
  env,
  limits,
};

/** The lives that a command can have, each a list of events in order. */
export function lives(commandId: string, sessionId: string): readonly (readonly RuntimeEvent[])[] {
  const requested: RuntimeEvent = {
    type: "command.requested",
    commandId,
    sessionId,
    command: "make",
    origin: "model",
    env,
    limits,
  };
  const admitted: CommandAdmitted = { type: "command.admitted", commandId, sessionId, order };
  const asked: RuntimeEvent = {
    type: "permission.asked",
    commandId,
    askId: `ask_${commandId}`,
    concerns: [{ reason: "It writes to /etc/hosts" }],
  };
  const answered: RuntimeEvent = {
    type: "permission.answered",
    commandId,
    askId: `ask_${commandId}`,
    answer: "once",
  };
  const granted: RuntimeEvent = {
    type: "permission.granted",
    commandId,
    order: order as PermittedOrder,
    by: "rule",
    rules: ["Bash(make *)"],
  };
  const denied: RuntimeEvent = {
    type: "permission.denied",
    commandId,
    reason: "The rule Bash(make *) denies it",
    tool: "build",
    rule: "Bash(make *)",
    span: { start: 0, end: 4 },
  };
  const built: RuntimeEvent = {
    type: "env.built",
    commandId,
    invocation: {
      command: "make",
      file: "/bin/bash",
      args: ["-c", "make"],
      cwd: "/",
      env,
      executor: "process",
      limits,
    },
    dropped: [{ name: "API_KEY", rule: "default exclude *KEY*" }],
  };
  const refused: RuntimeEvent = { type: "env.refused", commandId, reason: "Cannot set variable" };
  const started: RuntimeEvent = {
    type: "execution.started",
    commandId,
    executor: "process",
    pid: 77,
  };
  const wrote: RuntimeEvent = { type: "output.appended", commandId, from: 0, to: 12 };
  const stopping: RuntimeEvent = {
    type: "execution.stopping",
    commandId,
    by: "stop",
    signal: "SIGTERM",
  };
  const leftovers = [{ pid: 78, command: "sleep 9" }];
  const exited: ExecutionExited = {
    type: "execution.exited",
    commandId,
    outcome: { type: "exited", code: 2 },
    durationMs: 9,
    leftovers,
  };
  const late: RuntimeEvent = { type: "output.appended", commandId, from: 12, to: 20 };
  const closed: RuntimeEvent = { type: "execution.closed", commandId, leftovers: [] };
  const failed: RuntimeEvent = { type: "execution.failed", commandId, reason: "no such program" };
  const lost: RuntimeEvent = { type: "task.lost", commandId, reason: "the host is gone" };
  const before = [requested, admitted, granted, built];
  const inShell: RuntimeEvent = {
    ...admitted,
    order: { ...order, shell: {}, state: { functions: ["make"] } },
    executor: { kind: "shell", reason: "the call asks for it" },
  };
  const fellBack: RuntimeEvent = {
    type: "execution.fellBack",
    commandId,
    from: "shell",
    to: "process",
    reason: "there is no such shell",
  };
  const reset = { reason: "it was killed", lost: ["functions", "jobs"] } as const;
  const state = { functions: ["make"], variables: ["PATH"] };
  const left: RuntimeEvent = { ...exited, shell: { cwd: "/tmp", state, reset } };
  const afterShell: readonly RuntimeEvent[] = [
    { type: "session.reset", sessionId, ...reset },
    { type: "session.moved", sessionId, cwd: "/tmp" },
    { type: "session.stateReported", sessionId, state },
  ];
  return [
    [requested, { type: "command.cancelled", commandId, by: "abort" }],
    [requested, admitted, { type: "command.rejected", commandId, reason: "Cannot parse it" }],
    [requested, admitted, denied],
    [requested, admitted, asked, answered, denied],
    [requested, admitted, asked, answered, granted, refused],
    [...before, failed],
    [...before, started, wrote, exited, late, closed],
    [...before, started, wrote, stopping, exited, closed],
    [...before, started, lost],
    [requested],
    [requested, inShell, granted, built, started, wrote, left, ...afterShell, late, closed],
    [requested, inShell, granted, built, fellBack, started, exited, closed],
  ];
}

/** Histories of some sessions, in each of which commands have their turn one after the other. */
export const histories: fc.Arbitrary<readonly RuntimeEvent[]> = fc
  .array(fc.record({ life: fc.nat(11), session: fc.nat(2) }), { maxLength: 25 })
  .chain((choices) => {
    const tracks = [0, 1, 2].map((session): readonly RuntimeEvent[] => {
      const id = `session_${session}`;
      const opened: RuntimeEvent = { type: "session.opened", sessionId: id, cwd: "/" };
      const closed: RuntimeEvent = { type: "session.closed", sessionId: id, reason: "done" };
      const commands = choices.flatMap((choice, i) =>
        choice.session === session ? lives(`task_${i}`, id)[choice.life] ?? [] : []
      );
      return [opened, ...commands, closed];
    });
    return fc.array(fc.nat(2), { minLength: 0, maxLength: 300 }).map((turns) =>
      interleave(tracks, turns)
    );
  });

/** Take from the tracks in turns; what is left at the end never happened. */
function interleave(
  tracks: readonly (readonly RuntimeEvent[])[],
  turns: readonly number[],
): readonly RuntimeEvent[] {
  const at = tracks.map(() => 0);
  return turns.flatMap((turn) => {
    const event = tracks[turn]?.[at[turn] ?? 0];
    at[turn] = (at[turn] ?? 0) + 1;
    return event === undefined ? [] : [event];
  });
}
