import assert from "node:assert/strict";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { describe, it } from "node:test";
import { pidNamespace } from "../../../src/platform/process/containment.ts";
import { OwnedError, ownerOf } from "../../../src/platform/owner/owner-lock.ts";
import { control } from "../../../src/runtime/control/protocol.ts";
import { withOwner } from "../../../src/runtime/control/with-owner.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { scratch } from "../../event/scratch.ts";
import { until } from "../../until.ts";
import { living, marked, startHost } from "./world.ts";

const INSIDE = [
  ...["bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid"],
  "--die-with-parent",
];

function isPossible(): boolean {
  try {
    pidNamespace(process.env["PATH"] ?? "");
    return true;
  } catch {
    return false;
  }
}

describe("an owner in another pid namespace", () => {
  it("keeps its directory and its work while it lives, and is answered for by its socket", async (test) => {
    if (!isPossible()) return test.skip("no such namespace can be made here");
    const log = scratch();
    const what = marked();
    const host = await startHost({ log, attached: [what], detached: [] }, INSIDE);
    const open = () => createRuntime({ mode: "bypass", log, cwd: "/", graceMs: 300 });
    try {
      await assert.rejects(open(), (cause) => {
        assert.ok(cause instanceof OwnedError);
        assert.match(cause.message, /process \d+ in another pid namespace owns it; /);
        return true;
      });
      const tasks = await withOwner(log, (owner) => owner.request(control.ps, {}));
      assert.deepEqual(tasks?.map(({ id, status }) => [id, status]), [
        [host.news.attached[0], "running"],
      ]);
      // A process that becomes another program has no command line for a moment.
      await until(() => living(what).length > 0);
    } finally {
      await host.kill();
    }
    while (await ownerOf(log) !== undefined) await pause(10);
    await using next = await open();
    assert.deepEqual([...next.tasks.current.byId.values()].map(({ status }) => status), ["lost"]);
  });
});
