import { spawn } from "node:child_process";
import process from "node:process";
import { Command, Option } from "commander";
import { bashOf } from "../../env/construct.ts";
import { environment } from "../../platform/environment/environment.ts";
import { attempt } from "../../platform/failure.ts";
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
  freeSpaceBytes: 0,
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
      // `bench` was stopped or killed.
      process.stdin.once("end", () => void runner.close().then(() => process.exit(1))).resume();
      try {
        await stdio.out(`${JSON.stringify(await measured(runner, line))}\n`);
      } finally {
        await runner.close();
      }
      exit(0);
    });
}

async function measured(runner: Runner, line: string): Promise<Measured> {
  // What is loaded with a first command is no part of its throughput.
  await runner.run("true");
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const ran = await runner.run(line);
  const ms = performance.now() - start;
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
  let running: number | undefined;
  const run: Runner["run"] = (line) =>
    new Promise((resolve, reject) => {
      const child = spawn(bash, ["--norc", "--noprofile", "-c", "--", line, "bash"], {
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      running = child.pid;
      let bytes = 0;
      const count = (chunk: Uint8Array) => {
        bytes += chunk.length;
      };
      child.stdout.on("data", count);
      child.stderr.on("data", count);
      const answer = (exitCode: number | null) => resolve({ bytes, exitCode });
      child.once("error", reject);
      child.once("exit", (exitCode) => setTimeout(answer, DRAIN_MS, exitCode));
      child.once("close", answer);
    });
  const close = () => {
    attempt(() => running !== undefined && process.kill(-running, "SIGKILL"));
    return Promise.resolve();
  };
  return { run, close };
}

async function ours(output: OutputOptions): Promise<Runner> {
  const runtime = await createRuntime({ mode: "bypass", env: { inherit: "all" }, output });
  return {
    run: async (line) => {
      const { taskId, totalBytes: bytes, exitCode } = await runtime.run(line);
      const lost = runtime.output(taskId)?.omitted ?? 0;
      if (output.spill !== false && lost > 0) {
        throw new Error(
          `Cannot keep the output in a file: ${lost} of ${bytes} bytes found no room; ` +
            "TMPDIR names another place",
        );
      }
      return { bytes, exitCode };
    },
    close: () => runtime.close({ now: true }),
  };
}
