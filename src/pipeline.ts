import type { Observable } from "rxjs";
import { parse, type ParseOptions } from "./command/parse.ts";
import { construct, type ConstructOptions } from "./env/construct.ts";
import type { CommandAdmitted } from "./event/command.ts";
import type { RuntimeEvent } from "./event/event.ts";
import { execute } from "./execution/execute.ts";
import type { Executor } from "./execution/executor.ts";
import { buffer, type BufferOptions } from "./output/buffer.ts";
import { permit, type PermitChoice } from "./permission/permit.ts";

/** What the stages need. */
export interface PipelineOptions {
  readonly parse: ParseOptions;
  readonly permit: PermitChoice;
  readonly construct: ConstructOptions;
  readonly executor: Executor;
  readonly buffer: BufferOptions;
}

/** The way of a command: parse, permit, construct, execute, buffer. */
export function pipeline(
  options: PipelineOptions,
): (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent> {
  const parsed = parse(options.parse);
  const permitted = permit(options.permit);
  const constructed = construct(options.construct);
  const executed = execute({ executor: options.executor, sinks: options.buffer.logs });
  const buffered = buffer(options.buffer);
  return (events) => events.pipe(parsed, permitted, constructed, executed, buffered);
}
