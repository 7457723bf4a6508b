import * as acp from "@agentclientprotocol/sdk";
import { Buffer } from "node:buffer";
import { setTimeout as pause } from "node:timers/promises";
import type { ChildProcess, ExitStatus } from "../../../src/platform/process/processes.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { cleanUp } from "../../clean-up.ts";

/** A request for a terminal. */
export type Asked = "create" | "output" | "waitForExit" | "kill" | "release";

/** How the client answers a request, given its usual answer. */
export type Answering = <T>(asked: Asked, usual: () => Promise<T>) => Promise<T>;

/** A client that runs processes, connected to an agent by streams. */
export interface Client {
  /** What an agent has of it. */
  readonly agent: acp.AgentConnection;
  /** The requests that came, in their order. */
  readonly asked: Asked[];
  readonly created: acp.CreateTerminalRequest[];
  /** The terminals that were not released. */
  readonly open: ReadonlyMap<string, unknown>;
  /** It is gone at once. */
  readonly die: () => void;
}

const processes = hostProcesses("shellflow-test-client");

/** Start a client; it does all that the protocol asks of it, unless `answering` does otherwise. */
export function startClient(answering: Answering = (_, usual) => usual()): Client {
  const terminals = new Map<string, Terminal>();
  const [asked, created]: [Asked[], acp.CreateTerminalRequest[]] = [[], []];
  let count = 0;
  const answer = <T>(what: Asked, usual: () => T | Promise<T>): Promise<T> => {
    asked.push(what);
    return answering(what, async () => await usual());
  };
  const find = ({ terminalId }: { readonly terminalId: string }) => {
    const terminal = terminals.get(terminalId);
    if (terminal === undefined) throw acp.RequestError.invalidParams({ terminalId });
    return terminal;
  };
  const { create, output, waitForExit, kill, release } = acp.methods.client.terminal;
  const app = acp.client({ name: "test" })
    .onRequest(create, ({ params }) =>
      answer("create", async () => {
        created.push(params);
        const terminal = new Terminal(params);
        await terminal.started;
        const terminalId = `terminal-${++count}`;
        terminals.set(terminalId, terminal);
        return { terminalId };
      }))
    .onRequest(output, ({ params }) => answer("output", () => find(params).output()))
    .onRequest(waitForExit, ({ params }) => answer("waitForExit", () => find(params).exited))
    .onRequest(kill, ({ params }) =>
      answer("kill", () => {
        find(params).kill();
        return {};
      }))
    .onRequest(release, ({ params }) =>
      answer("release", () => {
        find(params).kill();
        terminals.delete(params.terminalId);
        return {};
      }));
  const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const client = app.connect(acp.ndJsonStream(there.writable, back.readable));
  const agent = acp.agent({ name: "test" }).connect(
    acp.ndJsonStream(back.writable, there.readable),
  );
  const die = () => {
    client.close();
    agent.close();
    for (const terminal of terminals.values()) terminal.kill();
  };
  cleanUp(die);
  return { agent, asked, created, open: terminals, die };
}

/** A process and what it printed, of which the newest bytes are kept. */
class Terminal {
  readonly started: Promise<void>;
  readonly exited: Promise<acp.WaitForTerminalExitResponse>;
  readonly #limit: number;
  #child: ChildProcess | undefined;
  #bytes = Buffer.alloc(0);
  #dropped = false;
  #status: acp.TerminalExitStatus | undefined;

  constructor({ command, args = [], env = [], cwd, outputByteLimit }: acp.CreateTerminalRequest) {
    this.#limit = outputByteLimit ?? Infinity;
    let ended: () => void = () => {};
    const outputEnded = new Promise<void>((resolve) => ended = resolve);
    let exit: (status: ExitStatus) => void = () => {};
    const processEnded = new Promise<ExitStatus>((resolve) => exit = resolve);
    this.started = new Promise((resolve, reject) => {
      this.#child = processes.spawn({
        file: command,
        args,
        cwd: cwd ?? "/",
        env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
      }, {
        data: (chunk) => this.#keep(chunk),
        end: ended,
        exit,
        error: (cause) => reject(new acp.RequestError(-32_000, cause.message)),
      });
      if (this.#child !== undefined) resolve();
    });
    this.exited = processEnded.then(async ({ code, signal }) => {
      // A background process may hold the output.
      await Promise.race([outputEnded, pause(100)]);
      return this.#status = { exitCode: code, signal };
    });
  }

  output(): acp.TerminalOutputResponse {
    const output = this.#bytes.toString();
    const exitStatus = this.#status ?? null;
    return { output, truncated: this.#dropped, exitStatus };
  }

  kill(): void {
    if (this.#child !== undefined) processes.signalGroup(this.#child.pid, "SIGKILL");
  }

  #keep(chunk: Uint8Array): void {
    const all = Buffer.concat([this.#bytes, chunk]);
    let from = Math.max(0, all.length - this.#limit);
    if (from > 0) this.#dropped = true;
    // At the boundary of a character.
    while (((all[from] ?? 0) & 0xc0) === 0x80) from++;
    this.#bytes = all.subarray(from);
  }
}
