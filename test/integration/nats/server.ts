import { jetstream } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { JetStream } from "../../../src/nats.ts";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { cleanUp } from "../../clean-up.ts";

/** Why nothing of this can be tested here; `false` when it can. */
export const noServer: string | false =
  findProgram("nats-server", process.env["PATH"] ?? "") === undefined &&
  "nats-server is not on this machine";

/** A server with JetStream that keeps everything in a directory of its own. */
export interface NatsServer {
  connect(): Promise<{ readonly connection: NatsConnection; readonly jetstream: JetStream }>;
  /** The address that clients connect to. */
  readonly address: string;
  pid(): number;
  kill(): Promise<void>;
  /** Start it again, on the same port, with what it has kept. */
  startAgain(options?: { readonly emptied: boolean }): Promise<void>;
}

/** Start a server on a free port of the loopback interface. */
export async function startServer(
  { maxPayload = 1024 * 1024, jetStream = true }: {
    readonly maxPayload?: number;
    readonly jetStream?: boolean;
  } = {},
): Promise<NatsServer> {
  const directory = mkdtempSync(join(tmpdir(), "shellflow-nats-"));
  const config = join(directory, "config");
  writeFileSync(config, `max_payload: ${maxPayload}\n`);
  const start = async (port: string): Promise<[ChildProcess, string]> => {
    const args = [
      ...(jetStream ? ["-js", "-sd", join(directory, "store")] : []),
      ...["-c", config, "-a", "127.0.0.1", "-p", port],
    ];
    const child = spawn("nats-server", args, { stdio: ["ignore", "ignore", "pipe"] });
    return [
      child,
      await new Promise<string>((resolve, reject) => {
        let address = "";
        createInterface(child.stderr).on("line", (line) => {
          address = /client connections on (\S+)$/.exec(line)?.[1] ?? address;
          if (line.endsWith("Server is ready")) resolve(address);
        });
        child.once("exit", (code) => reject(new Error(`nats-server ended with ${code}`)));
      }),
    ];
  };
  let [child, address] = await start("-1");
  const connections: NatsConnection[] = [];
  const pid = () => child.pid ?? 0;
  const kill = async () => {
    process.kill(pid(), "SIGCONT");
    process.kill(pid(), "SIGKILL");
    await once(child, "exit");
  };
  cleanUp(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    if (child.exitCode === null && child.signalCode === null) await kill();
    rmSync(directory, { recursive: true });
  });
  return {
    address,
    ...{ pid, kill },
    startAgain: async ({ emptied } = { emptied: false }) => {
      if (emptied) rmSync(join(directory, "store"), { recursive: true });
      [child, address] = await start(address.slice(address.lastIndexOf(":") + 1));
    },
    connect: async () => {
      const connection = await connect({
        servers: address,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 100,
        reconnectJitter: 0,
      });
      connections.push(connection);
      return { connection, jetstream: jetstream(connection) };
    },
  };
}
