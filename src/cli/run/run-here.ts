import { defined } from "../../value/defined.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import { uniqueTemporaryPath } from "../../platform/file/temporary.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Cli } from "../cli.ts";
import { createRuntime } from "../../runtime/create.ts";
import type { RunResult } from "../../runtime/call/result.ts";
import type { Running, Runtime } from "../../runtime/runtime.ts";
import { asUsage } from "../option-values.ts";
import { surroundings } from "../surroundings.ts";
import { askPerson } from "./ask.ts";
import { copyApart } from "./copy-apart.ts";
import { type InputConnection, inputConnection } from "./connect-input.ts";
import { exitCodeOf, remark } from "./remark.ts";
import { eventPrinter, lackPrinter } from "./event-printer.ts";
import { policyOfRun, requestOf, type RunCommandOptions } from "./run-options.ts";

/** Run a command in a runtime of its own, which ends with it. */
export async function runHere(
  command: string,
  options: RunCommandOptions,
  { stdio }: Pick<Cli, "stdio">,
): Promise<number> {
  const files = keepsOutput(options) ? uniqueTemporaryPath("shellflow-output") : undefined;
  let named = false;
  const runtime = await asUsage(createRuntime({
    ...policyOfRun(options),
    ...surroundings(options),
    env: { inherit: "all" },
    // From where the command line is typed, as for the commands that read it.
    ...defined({ cwd: options.cwd, log: options.log && fromCurrentDirectory(options.log) }),
    ...(files && { output: { spill: files.path } }),
    ...(stdio.interactive && {
      ask: ({ order, concerns }, signal) => askPerson(stdio, { ...order, concerns }, signal),
    }),
  }));
  const input = inputConnection(options, { stdio, terminals: runtime.capabilities.terminal });
  if (options.outputFormat !== "stream-json") {
    const recorded = options.log !== undefined;
    runtime.events.subscribe(
      options.verbose ? eventPrinter(stdio) : lackPrinter(stdio, { recorded }),
    );
  }
  const stopped = onStopSignals({
    stop: () => void runtime.close(),
    stopNow: () => void runtime.close({ now: true }),
  });
  try {
    const result = await SHOW[options.outputFormat](
      { ...options, runtime, stdio, input },
      () => {
        const running = runtime.start(command, {
          origin: "user",
          ...requestOf(options),
          ...input.request,
        });
        input.connect(runtime, running);
        return running;
      },
    );
    named = result.artifact !== undefined;
    // What was left behind by the command ends with the runtime; its log then holds the whole story.
    await runtime.close();
    return stopped.exitCode ?? exitCodeOf(result);
  } finally {
    stopped.forget();
    await input.disconnect();
    await runtime.close();
    // No answer that was read names the file.
    if (!named) files?.remove();
  }
}

/** A result in JSON names the file with the whole output, which has to outlive this process. */
function keepsOutput({ outputFormat, log }: RunCommandOptions): boolean {
  return outputFormat !== "text" && log === undefined;
}

interface Shown extends Pick<RunCommandOptions, "includePartial" | "split"> {
  readonly runtime: Runtime;
  readonly stdio: Stdio;
  readonly input: InputConnection;
}

type Show = (world: Shown, start: () => Running) => Promise<RunResult>;

const SHOW: Readonly<Record<RunCommandOptions["outputFormat"], Show>> = {
  text: async ({ runtime, stdio, input, split }, start) => {
    const running = start();
    const copied = running.output.then(async (log) => {
      if (split && log) return await copyApart(log, running, { runtime, stdio });
      const pieces = log?.pieces({ hold: true, until: running.result });
      for await (const { bytes } of pieces ?? []) await input.out(bytes);
    });
    copied.catch(() => running.stop("abort")); // its reader is gone, or the disk is full
    const result = await running.result;
    await copied;
    await input.disconnect();
    await remark(result, { stdio, background: "ended" });
    return result;
  },
  json: async ({ stdio }, start) => {
    const result = await start().result;
    await stdio.out(`${JSON.stringify(result)}\n`);
    return result;
  },
  "stream-json": async ({ runtime, stdio, includePartial }, start) => {
    const running = start();
    let written = Promise.resolve();
    const print = (line: object) => {
      written = stdio.out(`${JSON.stringify(line)}\n`);
      written.catch(() => running.stop("abort"));
    };
    runtime.events.subscribe(print);
    const { followTask } = includePartial
      ? await import("../../tool/update/follow-task.ts")
      : { followTask: undefined };
    const printRest = followTask?.(runtime, running.taskId, {
      onUpdate: (update) => {
        if (update.type === "output") print({ update });
      },
    });
    const result = await running.result;
    await printRest?.();
    await runtime.close();
    await written;
    await stdio.out(`${JSON.stringify(result)}\n`);
    return result;
  },
};
