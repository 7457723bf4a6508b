import { Command, Option } from "commander";
import { Subscription } from "rxjs";
import { stdio } from "../../platform/stdio.ts";
import { uniqueTemporaryPath } from "../../platform/file/temporary.ts";
import { onStopSignals } from "../../platform/process/stop-signals.ts";
import { createRuntime } from "../../runtime/create.ts";
import type { RunOptions } from "../../runtime/request.ts";
import type { RunResult } from "../../runtime/result.ts";
import type { Running, Runtime } from "../../runtime/runtime.ts";
import { terminalAsker } from "./ask.ts";
import { exitCodeOf } from "./exit-code.ts";
import { seconds, variable } from "../options.ts";
import { copyOutput } from "../../runtime/copy-output.ts";
import { policyOf, type RuleOptions, withRules } from "../rules.ts";

const FORMATS = ["text", "json", "stream-json"] as const;

interface Options extends RuleOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly idleTimeout?: number;
  readonly log?: string;
  readonly detach?: boolean;
  readonly outputFormat: typeof FORMATS[number];
}

/** `shellflow run`: one command, from the rules to its exit code. */
export function runCommand(exit: (code: number) => void): Command {
  const command = new Command("run")
    .description("Run a command and exit with its code.")
    .usage("[options] -- COMMAND")
    .argument("<command...>", "the command line, in bash; several words are joined by blanks")
    .addOption(
      new Option("--output-format <format>", "text as it comes, or JSON")
        .choices(FORMATS).default("text"),
    )
    .option("--timeout <seconds>", "end it after this time; 0 means never", seconds)
    .option("--idle-timeout <seconds>", "end it after such a silence; 0 means never", seconds)
    .option("--cwd <directory>", "where to run it")
    .option("--env <name=value>", "a variable for the command; may be repeated", variable)
    .option("--log <directory>", "record what happens there, for replay")
    .option("--detach", "start it on its own, with its output in a file; it needs --log")
    .passThroughOptions();
  return withRules(command).action(async (words: string[], options: Options) => {
    exit(await run(words.join(" "), options));
  });
}

/** Run one command as the command line asks. */
export async function run(command: string, options: Options): Promise<number> {
  const runtime = await createRuntime({
    ...policyOf(options),
    env: { inherit: "all" },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.log !== undefined && { log: options.log }),
    ...keepsOutput(options) && { output: { spill: uniqueTemporaryPath("shellflow-output") } },
    ...(stdio.interactive && { ask: terminalAsker(stdio) }),
  });
  const listeners = new Subscription();
  const stopped = onStopSignals(() => void runtime.close());
  try {
    const result = await SHOW[options.outputFormat](
      runtime,
      listeners,
      () =>
        runtime.start(command, {
          origin: "user",
          ...requestOf(options),
        }),
    );
    // What was left behind by the command ends with the runtime; its log then holds the whole story.
    await runtime.close();
    return stopped.exitCode ?? exitCodeOf(result);
  } finally {
    stopped.forget();
    listeners.unsubscribe();
    await runtime.close();
  }
}

/** A result in JSON names the file with the whole output: it has to be there for whoever reads that. */
function keepsOutput({ outputFormat, log }: Options): boolean {
  return outputFormat !== "text" && log === undefined;
}

function requestOf({ env, timeout, idleTimeout, detach }: Options): RunOptions {
  return {
    ...(env !== undefined && { env }),
    ...(detach === true && { detach }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    ...(idleTimeout !== undefined && { idleTimeoutMs: idleTimeout * 1000 }),
  };
}

type Show = (
  runtime: Runtime,
  listeners: Subscription,
  start: () => Running,
) => Promise<RunResult>;

const SHOW: Readonly<Record<Options["outputFormat"], Show>> = {
  text: async (_runtime, _listeners, start) => {
    const running = start();
    const copied = running.output.then((log) => log && copyOutput(log, running.result, stdio));
    copied.catch(() => running.stop("abort")); // for nobody, or for a full disk, it need not go on
    const result = await running.result;
    await copied;
    if (result.outcome.type === "detached") {
      const { log, pidFile } = result.outcome;
      await stdio.out(`task ${result.taskId}\nlog ${log}\npid file ${pidFile}\n`);
    }
    const remark = remarkOn(result);
    if (remark !== undefined) await stdio.err(`${remark}\n`);
    return result;
  },
  json: async (_runtime, _listeners, start) => {
    const result = await start().result;
    await stdio.out(`${JSON.stringify(result)}\n`);
    return result;
  },
  "stream-json": async (runtime, listeners, start) => {
    const running = start();
    let written = Promise.resolve();
    listeners.add(runtime.events.subscribe((recorded) => {
      written = stdio.out(`${JSON.stringify(recorded)}\n`);
      written.catch(() => running.stop("abort"));
    }));
    const result = await running.result;
    await runtime.close();
    await written;
    await stdio.out(`${JSON.stringify(result)}\n`);
    return result;
  },
};

/** What a person has to know besides the output and the exit code. */
function remarkOn({ outcome, leftovers }: RunResult): string | undefined {
  switch (outcome.type) {
    case "denied":
    case "rejected":
    case "failed":
    case "lost":
    case "unknown":
    case "spawnFailed":
      return outcome.reason;
    case "timedOut":
      return `Timed out after ${outcome.limitMs / 1000} s`;
    case "idleTimedOut":
      return `Ended after ${outcome.limitMs / 1000} s without output`;
    case "signaled":
      return `Ended by ${outcome.signal}`;
    case "exited": {
      if (leftovers.length === 0) return undefined;
      const names = leftovers.map(({ pid, command }) => `${command} (${pid})`).join(", ");
      return `Left running, and ended now: ${names}`;
    }
    default:
      return undefined;
  }
}
