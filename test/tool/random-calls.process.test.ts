import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { Recorded } from "../../src/event/event.ts";
import { fold } from "../../src/event/project.ts";
import { notices } from "../../src/notification/notices.ts";
import { tasks } from "../../src/task/tasks.ts";
import { living, uniqueSeconds } from "../runtime/state/world.ts";
import { sized } from "../sized.ts";
import { toolWorld } from "./world.ts";

const CALLS = sized(60, 2_000);
const AT_ONCE = 6;
/** No call waits longer than its `initial_wait` or `delay`, which are far below that. */
const ANSWERED_WITHIN_MS = 30_000;

const seconds = uniqueSeconds();

type Call = { readonly tool: string; readonly input: unknown; readonly abortMs?: number };

const shellId = fc.constantFrom("a", "b", "c", undefined);
const command = fc.constantFrom(
  "echo hi",
  "exit 3",
  "cd /; pwd",
  "seq 5000",
  "printf 'no newline'",
  "sleep 0.1; echo late",
  `sleep ${seconds}`,
  `echo ready; sleep ${seconds}`,
  "(sleep 0.2; echo behind) & echo before",
  "kill -9 $$",
  "exit 0 | grep x",
  "'",
);
const run = fc.record({
  command,
  shellId,
  mode: fc.constantFrom("sync", "async", undefined),
  initial_wait: fc.constantFrom(0, 0.05, 0.3),
  timeout: fc.constantFrom(1, 5, undefined),
  until: fc.constantFrom(undefined, "exit", "output", "/ready|hi/", "input"),
});
const target = fc.constantFrom("a", "b", "c", "newest", "nix");
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 5, arbitrary: run.map((input) => ({ tool: "bash", input })) },
  {
    weight: 1,
    arbitrary: fc.record({ input: run, abortMs: fc.constantFrom(0, 5, 40) })
      .map((more) => ({ tool: "bash", ...more })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      shellId: target,
      delay: fc.constantFrom(0, 0.1, undefined),
      until: fc.constantFrom(undefined, "/late/"),
      search: fc.constantFrom(undefined, "4"),
    }).map((input) => ({
      tool: "read_bash",
      input: { ...input, delay: input.delay ?? 0.2 },
    })),
  },
  { weight: 2, arbitrary: target.map((shellId) => ({ tool: "stop_bash", input: { shellId } })) },
  { weight: 1, arbitrary: fc.constant({ tool: "list_bash", input: {} }) },
  { weight: 1, arbitrary: fc.constant({ tool: "bash", input: { command: "", nix: 1 } }) },
);

it("random calls all get an answer, no notice comes after its acknowledgement, nothing is left", async () => {
  const { runtime, tools, call: callTool } = await toolWorld();
  const events: Recorded[] = [];
  const recording = runtime.events.subscribe((recorded) => events.push(recorded));
  const calls = fc.sample(call, { seed: 15, numRuns: CALLS });
  const acknowledged = new Set<string>();
  let newest = "nix";
  const answered = async ({ tool, input, abortMs }: Call) => {
    const given = { ...input as object };
    if ("shellId" in given && given.shellId === "newest") given.shellId = newest;
    const over = new AbortController();
    if (abortMs !== undefined) setTimeout(() => over.abort(), abortMs);
    const what = JSON.stringify({ tool, given });
    let late: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error(`No answer to ${what}`)), ANSWERED_WITHIN_MS);
    });
    const result = await Promise.race([
      callTool(tool, given, { signal: over.signal, onTask: (taskId) => newest = taskId }),
      patience,
    ]);
    clearTimeout(late);
    assert.notEqual(result.text, "", what);
    assert.notEqual(result.details.shell_error_category, "internal", `${what}: ${result.text}`);
    const before = new Set(acknowledged);
    for (const { id } of await runtime.notices.drain("agent")) {
      assert.equal(before.has(id), false, id);
      if (acknowledged.size % 2 === 0 || id.endsWith("failed")) {
        acknowledged.add(id);
        runtime.notices.ack([id]);
      }
    }
  };
  const lane = async () => {
    for (let next = calls.shift(); next !== undefined; next = calls.shift()) await answered(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  assert.ok([...tools].length === 5 && acknowledged.size > 0);
  await runtime.close();
  recording.unsubscribe();
  const table = fold(tasks, events);
  assert.deepEqual([...runtime.tasks.current.byId], [...table.byId]);
  assert.ok([...table.byId.values()].every(({ endedAt }) => endedAt !== undefined));
  const due = fold(notices, events);
  assert.equal(due.live.size, 0);
  for (const id of acknowledged) assert.equal(due.due.has(id), false);
  assert.deepEqual(living(`sleep ${seconds}`), []);
});
