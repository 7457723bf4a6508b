import { natsWorker, natsWorkers } from "../../../src/nats.ts";
import { contract } from "../../execution/contract.ts";
import { bash, drive } from "../../execution/drive.ts";
import { processSubject } from "../../execution/process-subject.ts";
import { noServer, startServer } from "./server.ts";

if (noServer === false) {
  const server = await startServer();
  const [atWorker, atHost] = [await server.connect(), await server.connect()];
  const own = processSubject();
  let count = 0;
  contract("one for workers over NATS", (options) => {
    const pool = `contract-${++count}`;
    const { executor: local } = own(options);
    const worker = natsWorker({ ...atWorker, pool, executor: local, atOnce: 100 });
    const executor = natsWorkers({ ...atHost, pool });
    return {
      executor: {
        ...executor,
        close: async () => {
          await executor.close();
          await (await worker).close();
        },
      },
      run: (command, limits, { file = "bash", input, onEvent } = {}) =>
        drive(executor, { ...bash(command, limits), file, ...(input && { input }) }, onEvent),
    };
  }, { atOnce: 50, mostAhead: 3_000_000 });
}
