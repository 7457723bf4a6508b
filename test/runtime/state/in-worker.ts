import { parentPort, workerData } from "node:worker_threads";
import { createRuntime } from "../../../src/runtime/create.ts";

const runtime = await createRuntime({ mode: "bypass", cwd: "/", log: workerData });
const { output } = await runtime.run("echo in a worker");
await runtime.close();
parentPort?.postMessage(output);
