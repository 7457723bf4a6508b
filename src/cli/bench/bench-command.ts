import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { Command, InvalidArgumentError, Option } from "commander";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Cli } from "../cli.ts";
import { checkCwd, UsageError } from "../option-values.ts";
import { ownProgram } from "../own-program.ts";
import { oneLine } from "../../text/clip.ts";
import { COMMAND_CHARS, table } from "../state/table.ts";
import { CASES, type Measured } from "./case-command.ts";

interface Options {
  readonly rounds: number;
  readonly cwd?: string | undefined;
  readonly outputFormat: "text" | "json";
}

/** 256 MiB in lines, as programs write them. */
const LINES = "yes 'one line of what a program prints' | head -c 268435456";

/** What a case means to a person. */
const TITLES: Readonly<Record<string, string>> = {
  plain: "spawn, counted",
  memory: "shellflow, in memory",
  file: "shellflow, with file",
};

/** `shellflow bench`: what the output of a command costs, against a plain program that spawns it. */
export function benchCommand({ stdio, exit }: Cli): Command {
  return new Command("bench")
    .description(
      "Measure how fast the output of a command is taken, in fresh processes, beside a program that " +
        "spawns it and counts.",
    )
    .usage("[options] [-- COMMAND]")
    .argument("[command...]", "what is run, in bash; 256 MiB of lines when absent")
    .passThroughOptions()
    .option("--rounds <n>", "how often each way is measured, in turn", rounds, 5)
    .option("--cwd <directory>", "where to run it")
    .addOption(
      new Option("--output-format <format>", "a table, or JSON")
        .choices(["text", "json"]).default("text"),
    )
    .action(async (words: string[], { rounds, cwd, outputFormat }: Options) => {
      checkCwd(cwd);
      const line = words.length === 0 ? LINES : words.join(" ");
      if (line.trim() === "") throw new UsageError('Cannot measure "": it is no command');
      const signals = onStopSignals({});
      const cases = await Promise.race([inTurn(line, { rounds, cwd }), signals.stopped]);
      signals.forget();
      // A case ends with this process.
      if (cases === undefined) return exit(signals.exitCode ?? 1);
      const report = { command: line, rounds, cases };
      await stdio.out(outputFormat === "json" ? `${JSON.stringify(report)}\n` : shown(report));
      exit(0);
    });
}

function rounds(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}

/** The medians of one way to run the command. */
interface CaseReport extends Measured {
  readonly name: string;
  readonly bytesPerSecond: number;
  /** How many times as long as a plain program it took, in the median of the rounds. */
  readonly timesPlain: number;
}

/** Measure each way in turn, so that a machine that is busy for a while is so for all. */
async function inTurn(
  line: string,
  { rounds, cwd }: Pick<Options, "rounds" | "cwd">,
): Promise<readonly CaseReport[]> {
  const names = Object.keys(CASES);
  const all = new Map(names.map((name) => [name, [] as Measured[]]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) all.get(name)?.push(await measure(name, { line, cwd }));
  }
  const plain = all.get("plain") ?? [];
  return [...all].map(([name, each]) => {
    const middle = (of: (one: Measured) => number) => median(each.map(of));
    const ms = middle((one) => one.ms);
    const bytes = middle((one) => one.bytes);
    return {
      name,
      bytes,
      ms,
      bytesPerSecond: bytes / ms * 1000,
      timesPlain: median(each.map((one, round) => one.ms / (plain[round]?.ms ?? Number.NaN))),
      cpuMs: middle((one) => one.cpuMs),
      memoryBytes: middle((one) => one.memoryBytes),
      exitCode: each[0]?.exitCode ?? null,
    };
  });
}

async function measure(
  name: string,
  { line, cwd }: Pick<Options, "cwd"> & { readonly line: string },
): Promise<Measured> {
  const args = [...ownProgram(), "bench-case", "--case", name, "--", line];
  // Its input ends with this process, and that ends it: signals of a terminal do not reach it.
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code === 0) return JSON.parse(answer);
  throw new Error(`Cannot measure "${name}": its process ended with code ${code}`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2;
}

function shown(
  { command, rounds, cases }: {
    readonly command: string;
    readonly rounds: number;
    readonly cases: readonly CaseReport[];
  },
): string {
  const numbers = ["output", "time", "rate", "times plain", "host CPU", "host memory"];
  const head = ["", ...numbers];
  const rows = cases.map((each) => [
    TITLES[each.name] ?? each.name,
    amount(each.bytes),
    `${each.ms.toFixed(each.ms < 10 ? 2 : 0)} ms`,
    // Of little output, the time is that of the start of a process.
    each.bytes < 1e6 ? "-" : `${amount(each.bytesPerSecond)}/s`,
    each.timesPlain.toFixed(2),
    `${each.cpuMs.toFixed(each.cpuMs < 10 ? 1 : 0)} ms`,
    amount(each.memoryBytes),
  ]);
  return [
    oneLine(command, COMMAND_CHARS),
    `${rounds === 1 ? "1 round" : `${rounds} rounds`} in turn, each in a fresh process; medians`,
    "",
    `${table([head, ...rows], numbers)}${differences(cases)}`,
  ].join("\n");
}

/** What makes the comparison questionable. */
function differences(cases: readonly CaseReport[]): string {
  const failed = cases.find(({ exitCode }) => exitCode !== 0);
  const differs = new Set(cases.map(({ bytes }) => bytes)).size > 1;
  const end = failed?.exitCode === null ? "a signal" : `exit code ${failed?.exitCode}`;
  const failure = failed === undefined ? "" : `\nThe command ended with ${end}.\n`;
  return differs ? `${failure}\nThe command did not write the same amount each time.\n` : failure;
}

/** Bytes for a person: 1 kB is 1000 of them. */
function amount(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
