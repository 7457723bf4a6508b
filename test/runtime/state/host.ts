import process from "node:process";
import { createRuntime } from "../../../src/runtime/create.ts";

/** What a host is asked to run, as JSON on its input: its arguments would look like its commands. */
export interface HostPlan {
  readonly log: string;
  readonly attached: readonly string[];
  readonly detached: readonly string[];
}

/** What it prints once all of it runs, as a line of JSON. */
export interface HostNews {
  readonly runtimeId: string;
  readonly attached: readonly string[];
  readonly detached: readonly string[];
}

// A host that is killed while its commands run.
let input = "";
for await (const text of process.stdin.setEncoding("utf8")) input += text;
const plan: HostPlan = JSON.parse(input);
const runtime = await createRuntime({ mode: "bypass", log: plan.log, cwd: "/" });
const attached = plan.attached.map((command) => runtime.start(command).taskId);
const detached = await Promise.all(
  plan.detached.map((command) => runtime.run(command, { detach: true })),
);
await new Promise<void>((resolve) => {
  runtime.tasks.changes.subscribe(({ byId }) => {
    if (attached.every((id) => byId.get(id)?.pid !== undefined)) resolve();
  });
});
await runtime.flush();
const news: HostNews = {
  runtimeId: runtime.id,
  attached,
  detached: detached.map(({ taskId }) => taskId),
};
process.stdout.write(`${JSON.stringify(news)}\n`);
setInterval(() => {}, 60_000);
