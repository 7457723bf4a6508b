import { jetstream } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
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
  readonly child: ChildProcess;
}

/** Start a server on a free port of the loopback interface. */
export async function startServer(): Promise<NatsServer> {
  const store = mkdtempSync(join(tmpdir(), "shellflow-nats-"));
  const args = ["-js", "-sd", store, "-a", "127.0.0.1", "-p", "-1"];
  const child = spawn("nats-server", args, { stdio: ["ignore", "ignore", "pipe"] });
  const connections: NatsConnection[] = [];
  cleanUp(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    if (child.exitCode === null) {
      process.kill(child.pid ?? 0, "SIGCONT");
      process.kill(child.pid ?? 0, "SIGKILL");
      await once(child, "exit");
    }
    rmSync(store, { recursive: true });
  });
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on("line", (line) => {
      const [, found] = /client connections on (\S+)$/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`nats-server ended with ${code}`)));
  });
  return {
    address,
    child,
    connect: async () => {
      const connection = await connect({ servers: address });
      connections.push(connection);
      return { connection, jetstream: jetstream(connection) };
    },
  };
}
