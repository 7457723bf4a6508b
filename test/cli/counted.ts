import { once } from "node:events";
import { renameSync, unlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { controlPath } from "../../src/platform/control/control-path.ts";

/** Stand between an owner and its clients, and count the connections. */
export async function counted(
  log: string,
): Promise<{ readonly seen: Readonly<Record<"all" | "open", number>>; done(): Promise<void> }> {
  const path = controlPath(log);
  const real = `${path}.real`;
  renameSync(path, real);
  const seen = { all: 0, open: 0 };
  const server = createServer((client) => {
    seen.all++;
    seen.open++;
    const owner = connect(real);
    client.pipe(owner).pipe(client);
    for (const socket of [client, owner]) socket.on("error", () => {});
    client.on("close", () => {
      seen.open--;
      owner.destroy();
      server.emit("gone");
    });
    owner.on("close", () => client.destroy());
  }).listen(path).unref();
  await once(server, "listening");
  const done = async () => {
    while (seen.open > 0) await once(server, "gone");
    server.close();
    unlinkSync(real);
  };
  return { seen, done };
}
