import { spawn } from "node:child_process";
import process from "node:process";
import { Command, Option } from "commander";
import { bashOf } from "../../env/construct.ts";
import { environment } from "../../platform/environment/environment.ts";
import { attempt } from "../../platform/failure.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import { createRuntime } from "../../runtime/create.ts";
import type { OutputOptions } from "../../runtime/options/options.ts";
import type { Cli } from "../cli.ts";

/** What a case came to. */
export interface Measured {
  readonly bytes: number;
  /** From the call until all of the output is there. */
  readonly ms: number;
  /** What this process itself took of the processors, in milliseconds. */
  readonly cpuMs: number;
  /** The peak of its memory above what it used before. */
  readonly memoryBytes: number;
  /** The exit code of the command; `null` where it did not exit by itself. */
  readonly exitCode: number | null;
}

/** Runs lines in one way. */
interface Runner {
  run(line: string): Promise<Pick<Measured, "bytes" | "exitCode">>;
  close(): Promise<void>;
}

/** No limit: a limit would leave work out. */
const WHOLE: OutputOptions = {
  quotaBytes: Number.MAX_SAFE_INTEGER,
  runtimeQuotaBytes: Number.MAX_SAFE_INTEGER,
};

/** The ways to run a command. */
export const CASES: Readonly<Record<string, () => Promise<Runner>>> = {
  plain: () => Promise.resolve(plain(bashOf(environment()).file)),
  memory: () => ours({ ...WHOLE, spill: false }),
  file: () => ours(WHOLE),
};

/** `shellflow bench-case`: one measurement in a fresh process; `bench` starts it. */
export function caseCommand({ stdio, exit }: Cli): Command {
  return new Command("bench-case")
    .addOption(
      new Option("--case <name>", "how it is run").choices(Object.keys(CASES))
        .makeOptionMandatory(),
    )
    .argument("<line>")
    .action(async (line: string, { case: name }: { readonly case: string }) => {
      const runner = await CASES[name]?.();
      if (runner === undefined) return;
      const closing = new AbortController();
      const stop = () => {
        closing.abort();
        void runner.close();
      };
      const stopped = onStopSignals({ stop });
      // The process that asked for the measurement has ended.
      process.stdin.once("end", stop).resume();
      try {
        const result = await measured(runner, line, closing.signal);
        if (result !== undefined) await stdio.out(`${JSON.stringify(result)}\n`);
        exit(stopped.exitCode ?? (result === undefined ? 1 : 0));
      } finally {
        stopped.forget();
        await runner.close();
        process.stdin.destroy();
      }
    });
}

async function measured(
  runner: Runner,
  line: string,
  stopped: AbortSignal,
): Promise<Measured | undefined> {
  // What is loaded with a first command is no part of its throughput.
  await runner.run("true");
  if (stopped.aborted) return undefined;
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const ran = await runner.run(line);
  const ms = performance.now() - start;
  if (stopped.aborted) return undefined;
  const { user, system } = process.cpuUsage(cpu);
  // The system counts the peak in KiB.
  const peak = process.resourceUsage().maxRSS * 1024;
  return {
    ...ran,
    ms,
    cpuMs: (user + system) / 1000,
    memoryBytes: Math.max(0, peak - before),
  };
}

/** How long the output of a command is waited for that left a process with it, in milliseconds. */
const DRAIN_MS = 100;

/** As a plain program would do it: spawn bash, and count what comes. */
function plain(bash: string): Runner {
  let end = () => {};
  const run: Runner["run"] = (line) =>
    new Promise((resolve, reject) => {
      const child = spawn(bash, ["--norc", "--noprofile", "-c", "--", line], {
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      end = () => {
        const { pid } = child;
        if (pid !== undefined) attempt(() => process.kill(-pid, "SIGKILL"));
        child.stdout.destroy();
        child.stderr.destroy();
      };
      let bytes = 0;
      const count = (chunk: Uint8Array) => {
        bytes += chunk.length;
      };
      child.stdout.on("data", count);
      child.stderr.on("data", count);
      child.once("error", reject);
      child.once("exit", () => setTimeout(end, DRAIN_MS).unref());
      child.once("close", (exitCode) => resolve({ bytes, exitCode }));
    });
  return { run, close: () => Promise.resolve(end()) };
}

async function ours(output: OutputOptions): Promise<Runner> {
  const runtime = await createRuntime({ mode: "bypass", env: { inherit: "all" }, output });
  return {
    run: async (line) => {
      const { totalBytes: bytes, exitCode } = await runtime.run(line);
      return { bytes, exitCode };
    },
    close: () => runtime.close({ now: true }),
  };
}
