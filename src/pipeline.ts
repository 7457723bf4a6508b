import { filter, type Observable, of } from "rxjs";
import { parse, type ParseOptions } from "./command/parse.ts";
import { construct, type ConstructOptions } from "./env/construct.ts";
import type { CommandAdmitted, CommandId, CommandParsed } from "./event/command.ts";
import type { RuntimeEvent } from "./event/event.ts";
import type { PermissionEvent } from "./event/permission.ts";
import { execute } from "./execution/execute.ts";
import type { Executor } from "./execution/executor.ts";
import { buffer, type BufferOptions } from "./output/buffer.ts";
import { permit, type PermitOptions } from "./permission/permit.ts";
import { type Stage, stage } from "./stream/stage.ts";

/** What the stages need. */
export interface PipelineOptions {
  readonly parse: ParseOptions;
  /** By what commands are judged: all by the same, or each by its own. */
  readonly permit: PermitOptions | ((commandId: CommandId) => PermitOptions);
  readonly construct: ConstructOptions;
  readonly executor: Executor;
  readonly buffer: BufferOptions;
}

/** The way of a command: parse, permit, construct, execute, buffer. */
export function pipeline(
  options: PipelineOptions,
): (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent> {
  const parsed = parse(options.parse);
  const permitted = typeof options.permit === "function"
    ? permitEach(options.permit)
    : permit(options.permit);
  const constructed = construct(options.construct);
  const executed = execute({ executor: options.executor, sinks: options.buffer.logs });
  const buffered = buffer(options.buffer);
  return (events) => events.pipe(parsed, permitted, constructed, executed, buffered);
}

/** Let each command pass, or not, by what is chosen for it when its turn to be judged has come. */
function permitEach(
  choose: (commandId: CommandId) => PermitOptions,
): Stage<CommandParsed, PermissionEvent> {
  return stage("command.parsed", (parsed: CommandParsed) =>
    of(parsed).pipe(
      permit(choose(parsed.commandId)),
      filter((event) => event.type !== "command.parsed"), // which is repeated already
    ));
}
