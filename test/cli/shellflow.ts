import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import process from "node:process";
import { Readable } from "node:stream";
import { runCli } from "../../src/cli/command-line.ts";
import { runArgs } from "../run-args.ts";

/** What a run of the command line came to. */
export interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

/** How it is run. */
export interface RunCliOptions {
  readonly input?: string;
  /** Its standard input is a pipe or a file. */
  readonly connected?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const main = new URL("../../src/cli/main.ts", import.meta.url);

/** Start `shellflow` under the runtime that runs this test. */
export function startCli(
  args: readonly string[],
  { env, cwd }: RunCliOptions = {},
  out: "pipe" | number = "pipe",
): ReturnType<typeof spawn> {
  return spawn(process.execPath, [...runArgs(main), ...args], {
    stdio: ["pipe", out, "pipe"],
    env: { ...process.env, NO_COLOR: "1", ...env },
    ...(cwd !== undefined && { cwd }),
  });
}

/** Run `shellflow` to its end in this process; calls with variables or a directory come one by one. */
export async function shellflow(
  args: readonly string[],
  options: RunCliOptions = {},
): Promise<Ran> {
  const restore = enter(options);
  try {
    return await runHere(args, options);
  } finally {
    restore();
  }
}

/** Go to the directory of a call, with its variables; the result goes back. */
function enter({ env = {}, cwd }: RunCliOptions): () => void {
  const before = process.cwd();
  const previous = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  if (cwd !== undefined) process.chdir(cwd);
  return () => {
    if (cwd !== undefined) process.chdir(before);
    for (const [name, value] of previous) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

async function runHere(args: readonly string[], options: RunCliOptions): Promise<Ran> {
  const [out, err]: Uint8Array[][] = [[], []];
  const keep = (chunks: Uint8Array[] = []) => (data: string | Uint8Array) => {
    chunks.push(Buffer.from(data));
    return Promise.resolve();
  };
  const code = await runCli(args, {
    out: keep(out),
    err: keep(err),
    interactive: false,
    connected: options.connected === true,
    ask: () => Promise.reject(new Error("Cannot ask: there is no terminal")),
    stdin: () => () => {},
    ownTerminal: () => undefined,
    lines: () => Readable.from((options.input ?? "").split("\n").filter((line) => line !== "")),
  });
  const text = (chunks: Uint8Array[] = []) => Buffer.concat(chunks).toString();
  return { code, signal: null, out: text(out), err: text(err) };
}

/** Run `shellflow` to its end in a process of its own. */
export async function spawned(
  args: readonly string[],
  options: RunCliOptions = {},
): Promise<Ran> {
  const child = startCli(args, options);
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => out += text);
  child.stderr?.setEncoding("utf8").on("data", (text) => err += text);
  child.stdin?.end(options.input ?? "");
  return await new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}
