import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { psTable } from "../../../src/platform/process/table/ps-table.ts";
import { taskkill } from "../../../src/platform/process/signals/taskkill.ts";

/** What macOS prints: one blank row, names with blanks, and a process that is a zombie. */
const TABLE = `
    1     0     1 Ss   Sat Nov 21 09:00:01 2026 /sbin/launchd
  501     1   501 Ss   Sat Nov 21 10:15:00 2026 /bin/bash --noprofile --norc -c sleep 30
  502   501   501 S    Sat Nov 21 10:15:01 2026 sleep 30
  503     1   503 R+   Sat Nov 21 10:15:02 2026 /Applications/Some App.app/Contents/MacOS/Some App
  504   501   501 Z    Sat Nov 21 10:15:03 2026 (sleep)
`;
const ENVIRONMENTS = `
  501 /bin/bash -c sleep 30 SHELLFLOW_MARK=outer/a inner/b HOME=/Users/me
  502 sleep 30 PATH=/bin SHELLFLOW_MARK=inner/b
  503 /Applications/Some App X_SHELLFLOW_MARK=inner/b HOME=/
`;

const recorded = psTable((args) => {
  if (args.includes("-AEww")) return ENVIRONMENTS;
  const only = args.indexOf("-p");
  if (only < 0) return TABLE;
  const pid = args[only + 1];
  return TABLE.split("\n").filter((line) => line.trim().startsWith(`${pid} `)).join("\n");
});

describe("the process table of ps, on recorded answers", () => {
  it("tells parent, group, state and start", () => {
    const { all } = recorded.read();
    assert.deepEqual(all.map(({ pid }) => pid), [1, 501, 502, 503, 504]);
    assert.deepEqual(recorded.info(502), {
      pid: 502,
      parent: 501,
      group: 501,
      session: 0,
      state: "S",
      startTime: String(Date.parse("Sat Nov 21 10:15:01 2026") / 1000),
    });
    assert.equal(recorded.info(999), undefined);
    assert.equal(recorded.read().all.find(({ pid }) => pid === 504)?.state, "Z");
  });

  it("tells command lines and variables, several words and likenesses included", () => {
    assert.equal(recorded.commandLine(501), "/bin/bash --noprofile --norc -c sleep 30");
    const { variable } = recorded.read();
    assert.equal(variable(501, "SHELLFLOW_MARK"), "outer/a inner/b");
    assert.equal(variable(502, "SHELLFLOW_MARK"), "inner/b");
    assert.equal(variable(503, "SHELLFLOW_MARK"), undefined);
  });
});

describe("signals by taskkill, on recorded answers", () => {
  it("asks first and forces for KILL, with the whole tree of a group", () => {
    const asked: string[] = [];
    const send = taskkill((args) => {
      asked.push(args.join(" "));
      return 0;
    });
    send(-501, "SIGTERM");
    send(-501, "SIGKILL");
    send(502, "SIGKILL");
    assert.deepEqual(asked, ["/pid 501 /t", "/pid 501 /t /f", "/pid 502 /f"]);
  });

  it("says that there is none as process.kill does", () => {
    assert.throws(() => taskkill(() => 128)(-7, "SIGTERM"), { code: "ESRCH" });
  });
});
