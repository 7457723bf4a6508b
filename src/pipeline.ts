import type { Observable } from "rxjs";
import { analyseOrder, parse, type ParseOptions } from "./command/parse.ts";
import { secondOpinion } from "./command/second-opinion.ts";
import { construct, type ConstructOptions } from "./env/construct.ts";
import type { CommandAdmitted, Order } from "./event/command.ts";
import type { RuntimeEvent } from "./event/event.ts";
import { execute } from "./execution/execute.ts";
import type { Executor } from "./execution/executor.ts";
import { type Gate, hold } from "./gate.ts";
import { buffer, type BufferOptions } from "./output/buffer.ts";
import { permit, type PermitChoice } from "./permission/permit.ts";

/** What the stages need. */
export interface PipelineOptions {
  readonly parse: ParseOptions;
  readonly permit: PermitChoice;
  readonly construct: ConstructOptions;
  readonly executor: Executor;
  readonly buffer: BufferOptions;
  /** Gates between the stages; several in front of one stage decide in this order. */
  readonly gates?: readonly Gate[];
}

/**
 * The way of a command: parse, permit, construct, execute, buffer, and the gates between them.
 *
 * @returns An operator from `command.admitted` to every event of the command.
 */
export function pipeline(
  options: PipelineOptions,
): (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent> {
  const parsed = parse(options.parse);
  const { permit: choice, parse: { programs } } = options;
  const confirmed = {
    secondOpinion: secondOpinion(programs === undefined ? {} : { programs }),
    analyse: (order: Order) => analyseOrder(order, options.parse),
  };
  const permitted = permit(
    typeof choice === "function"
      ? (commandId) => ({ ...confirmed, ...choice(commandId) })
      : { ...confirmed, ...choice },
  );
  const constructed = construct(options.construct);
  const executed = execute({ executor: options.executor, sinks: options.buffer.logs });
  const buffered = buffer(options.buffer);
  const before = (stage: Gate["before"]) =>
    hold((options.gates ?? []).filter((gate) => gate.before === stage), options.buffer.clock);
  const [toPermit, toConstruct, toExecute] = [
    before("permit"),
    before("construct"),
    before("execute"),
  ];
  return (events) => {
    const granted = permitted(toPermit(parsed(events)));
    const built = constructed(toConstruct(granted));
    return buffered(executed(toExecute(built)));
  };
}
