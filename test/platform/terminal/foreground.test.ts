import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import type { ForegroundWait } from "../../../src/platform/terminal/foreground.ts";
import { type LineSettings, lineSettings } from "../../../src/platform/terminal/line-settings.ts";
import { until } from "../../until.ts";
import { open } from "./open-terminal.ts";

const table = procTable();

/** What is on the terminal, how it waits, and with which settings. */
const PROGRAMS: readonly (readonly [string, ForegroundWait, LineSettings])[] = [
  ["cat", "read", { echo: true, canonical: true }],
  ["read -p 'name? ' name", "read", { echo: true, canonical: true }],
  ["yes | head -n 9 | { sleep 0.2; cat >/dev/null; read </dev/tty; }", "read", {
    echo: true,
    canonical: true,
  }],
  ["read -s -p 'password: ' password", "read", { echo: false, canonical: true }],
  ["bash --norc -i", "poll", { echo: false, canonical: false }],
  ["sleep 100", "neither", { echo: true, canonical: true }],
  ["while :; do :; done", "neither", { echo: true, canonical: true }],
  ["cat </dev/zero >/dev/null", "neither", { echo: true, canonical: true }],
];

describe("the foreground of a terminal", () => {
  for (const [line, wait, settings] of PROGRAMS) {
    it(`shows how it waits: ${line}`, async () => {
      const { terminal } = open(line);
      await until(() => terminal.foreground(table.read()) === wait);
      assert.deepEqual(await terminal.settings(), settings);
    });
  }

  it("is the job that an interactive shell has put there", async () => {
    const it = open("exec bash --norc -i");
    await until(() => it.terminal.foreground(table.read()) === "poll");
    await it.type("cat\n");
    await until(() => it.terminal.foreground(table.read()) === "read");
  });

  it("is absent once the terminal is gone", async () => {
    const it = open("exit");
    await it.exited;
    assert.equal(it.terminal.foreground(table.read()), undefined);
    assert.equal(await lineSettings("/dev/pts/none"), undefined);
  });
});
