import type { StopCause } from "../../event/command.ts";
import type { ByteLog } from "../../output/byte-log.ts";
import { permitOptions } from "../permission/permits.ts";
import type { Commands } from "../commands.ts";
import type { HostParts } from "../host-parts.ts";
import type { Running } from "../runtime.ts";
import type { SessionPool } from "../session-pool.ts";
import { checkStopCause } from "./check-call.ts";
import type { RunOptions } from "./request.ts";
import { requested } from "./requested.ts";

/** What takes part in the start of a command. */
export interface StartParts extends Pick<HostParts, "ids" | "options" | "logs" | "permit"> {
  readonly commands: Commands;
  readonly pool: SessionPool;
}

/** Give a request, which was checked, to its session. */
export function start(
  { ids, options: defaults, logs, permit: own, commands, pool }: StartParts,
  command: string,
  options: RunOptions,
): Running {
  const { permission, signal } = options;
  const permit = permission && permitOptions(permission, own);
  const { session, single, placed } = pool.seat(options);
  const commandId = ids.next("task");
  const request = requested(command, options, {
    commandId,
    sessionId: session.id,
    cwd: placed ? undefined : options.cwd,
    defaults,
  });
  const stop = (by: StopCause) => void commands.end(commandId, by);
  const result = commands.add(commandId, { session, permit });
  const aborted = signal?.aborted === true;
  const onAbort = () => stop("abort");
  if (!aborted) signal?.addEventListener("abort", onAbort, { once: true });
  const output = new Promise<ByteLog | undefined>((resolve) => {
    const forget = logs.whenOpen(commandId, resolve);
    void result.then(() => {
      signal?.removeEventListener("abort", onAbort);
      forget();
      resolve(logs.get(commandId));
    });
  });
  session.send({
    type: "run",
    request,
    ...(aborted && { cancelledBy: "abort" }),
    ...(options.overlap === "reject" && { unlessBusy: true }),
  });
  if (single) session.send({ type: "close", reason: "Its only command ended", now: false });
  return {
    taskId: commandId,
    sessionId: session.id,
    result,
    output,
    stop: (by = "stop") => {
      checkStopCause(commandId, by);
      stop(by);
    },
  };
}
