import type { JetStreamClient } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { Command } from "commander";
import { readFile } from "node:fs/promises";
import { natsWorker } from "../integration/nats/nats-worker.ts";
import { messageOf } from "../platform/failure.ts";
import { whyNotLoaded } from "../platform/optional-package.ts";
import { onStopSignals } from "../platform/process/signals/stop-signals.ts";
import { createExecutor } from "../runtime/create-executor.ts";
import type { Cli } from "./cli.ts";
import { defined } from "../value/defined.ts";
import { asUsage, collect, count } from "./option-values.ts";
import { type SandboxCommandOptions, sandboxOptions, withSandbox } from "./surroundings.ts";

interface Options extends SandboxCommandOptions {
  readonly server?: readonly string[];
  readonly creds?: string;
  readonly pool?: string;
  readonly atOnce?: number;
}

/** `shellflow worker`: run the commands of hosts on other machines. */
export function workerCommand({ stdio, exit }: Cli): Command {
  const command = new Command("worker")
    .description(
      "Run commands for hosts on other machines, over NATS JetStream, until it is stopped.",
    )
    .option("--server <url>", "a NATS server, as nats://127.0.0.1:4222; several times", collect)
    .option("--creds <file>", "credentials, as nsc writes them")
    .option("--pool <name>", 'the pool that it joins; default "default"')
    .option("--at-once <n>", "how many commands run at once; default 16", count);
  return withSandbox(command).action(
    async ({ server, creds, pool, atOnce, ...options }: Options) => {
      const { connection, jetstream } = await connect(server, creds);
      const signals = onStopSignals({});
      try {
        const executor = await createExecutor(sandboxOptions(options));
        await using worker = await asUsage(
          natsWorker({ connection, jetstream, executor, ...defined({ pool, atOnce }) }),
        );
        await stdio.out(`${worker.id} takes commands\n`);
        await Promise.race([signals.stopped, connection.closed()]);
      } finally {
        await connection.close();
        signals.forget();
      }
      exit(signals.exitCode ?? 1);
    },
  );
}

/** Connect to a server with the packages of NATS, which an embedder brings along. */
async function connect(
  servers: readonly string[] | undefined,
  creds: string | undefined,
): Promise<{ readonly connection: NatsConnection; readonly jetstream: JetStreamClient }> {
  const [transport, { jetstream }] = await Promise.all([
    import("@nats-io/transport-node"),
    import("@nats-io/jetstream"),
  ]).catch((cause) => {
    const [, name = "@nats-io/transport-node"] = /(@nats-io\/[\w-]+)/.exec(messageOf(cause)) ?? [];
    throw new Error(`Cannot connect to NATS: ${whyNotLoaded(name, cause)}`, { cause });
  });
  const at = servers === undefined ? "127.0.0.1:4222" : servers.join(", ");
  try {
    const authenticator = creds === undefined
      ? undefined
      : transport.credsAuthenticator(await readFile(creds));
    const connection = await transport.connect({
      ...defined({ authenticator }),
      ...(servers && { servers: [...servers] }),
      // A worker waits for its server.
      maxReconnectAttempts: -1,
    });
    return { connection, jetstream: jetstream(connection) };
  } catch (cause) {
    throw new Error(`Cannot connect to NATS "${at}": ${messageOf(cause)}`, { cause });
  }
}
