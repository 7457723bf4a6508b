import type { FifoPool } from "../../pipe/fifo-pool.ts";
import { type InputFifo, openInput } from "../../pipe/input-fifo.ts";
import type { PipeEvents, PipeReader } from "../../pipe/pipe-reader.ts";
import { openOutput, type OutputPipe } from "../../pipe/pipes.ts";
import { openReport, type ReportFifo } from "../../pipe/report-fifo.ts";
import type { ChildProcess, ProcessEvents, SpawnSpec } from "../processes.ts";
import { identify, type ProcTable } from "../table/proc-table.ts";
import { failureReporter, type Start, type StartEvents } from "./start.ts";

/** What a start takes beside what is to be started. */
export interface SpawnParts {
  readonly start: Start;
  readonly pool: FifoPool;
  readonly table: ProcTable;
}

/**
 * Start a process on pipes of our own; `undefined` when it could not start: then `error` is called later.
 *
 * @throws When the system has no descriptors left for the pipes.
 */
export function spawnWithFifos(
  spec: SpawnSpec,
  events: ProcessEvents,
  { start, pool, table }: SpawnParts,
): ChildProcess | undefined {
  let pid: number | undefined;
  let open = 0;
  const end = () => --open === 0 && pid !== undefined && events.end();
  const read = (data: PipeEvents["data"]) => {
    open++;
    return openOutput(pool, { data, end });
  };
  const output = read(events.data);
  let errors: OutputPipe | undefined;
  let input: InputFifo | undefined;
  let report: ReportFifo | undefined;
  const ended: StartEvents = {
    failed: failureReporter(spec, events),
    exit: (status) => {
      input?.end();
      events.exit({ ...status, ...(report && { report: report.end() }) });
    },
  };
  try {
    if (events.errorData !== undefined) errors = read(events.errorData);
    if (spec.input === true) input = openInput(pool);
    if (spec.reports) report = openReport(pool);
    const ends = {
      input: spec.input === "inherit" ? 0 : input?.readEnd,
      output: output.writeEnd,
      errors: errors?.writeEnd,
      report: report?.writeEnd,
    };
    pid = start(spec, ends, ended);
  } finally {
    // The ends for the process are ours only until it has them.
    output.closeWriteEnd();
    errors?.closeWriteEnd();
    input?.closeReadEnd();
    report?.closeWriteEnd();
    if (pid === undefined) {
      output.release();
      errors?.release();
      input?.end();
      report?.end();
    }
  }
  if (pid === undefined) return undefined;
  const outputs = errors === undefined ? [output] : [output, errors];
  const each = (act: keyof PipeReader) => () => outputs.forEach((output) => output[act]());
  return {
    ...identify(pid, table),
    outputPipe: output.name,
    errorPipe: errors?.name,
    ...(input && { input }),
    pause: each("pause"),
    resume: each("resume"),
    release: each("release"),
  };
}
