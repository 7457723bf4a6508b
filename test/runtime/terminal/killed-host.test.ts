import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { it } from "node:test";
import { runArgs } from "../../run-args.ts";
import { until } from "../../until.ts";
import { living, uniqueSeconds } from "../../execution/world.ts";
import { SHELLS } from "./session-world.ts";

it("a host that is killed leaves no process of its terminals and their shells, also none that ignores a hang-up", async () => {
  const what = `sleep ${uniqueSeconds()}`;
  const args = [
    ...runArgs(new URL("./host.ts", import.meta.url)),
    `trap '' HUP; echo up; ${what}; :`,
    ...SHELLS.filter((shell) => shell !== "bash"),
  ];
  const host = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, SHELL: SHELLS.at(-1) },
  });
  await once(host.stdout, "data");
  await until(() => living(what).length === 2 + SHELLS.length);
  host.kill("SIGKILL");
  await until(() => living(what).length === 0, 100);
  assert.deepEqual(living(what), []);
});
