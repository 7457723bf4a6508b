import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { hostShells } from "../../../src/platform/shell/host-shells.ts";
import type { ShellEvents, Shells } from "../../../src/platform/shell/shells.ts";
import { cleanUp } from "../../clean-up.ts";
import { until } from "../../until.ts";
import { seat, startShells } from "./shells.ts";

/** A shell whose end is heard and not told, as while its last report is on its way. */
interface Ending {
  readonly events: ShellEvents;
  readonly reports: (readonly [line: string, state: string])[];
  /** Tell of its end, once it was heard. */
  tell: (() => void) | undefined;
}

function endings(): {
  readonly executor: ReturnType<typeof startShells>["executor"];
  readonly all: Ending[];
} {
  const all: Ending[] = [];
  const label = `shellflow-test-${process.pid}-ending-${++count}-`;
  const real = hostShells(label);
  const shells: Shells = {
    ...real,
    start: (spec, events) => {
      const ending: Ending = { events, reports: [], tell: undefined };
      all.push(ending);
      return real.start(spec, {
        ...events,
        report: (line, state) => {
          ending.reports.push([line, state]);
          events.report(line, state);
        },
        exit: (status) => {
          ending.tell = () => {
            ending.tell = undefined;
            events.exit(status);
          };
        },
      });
    },
  };
  const { executor } = startShells({ runtimeId: label, shells });
  cleanUp(() => {
    const closed = executor.close();
    const telling = setInterval(() => all.forEach(({ tell }) => tell?.()), 5);
    return closed.finally(() => clearInterval(telling));
  });
  return { executor, all };
}

let count = 0;

describe("a shell that has ended by itself", () => {
  it("gets no command any more while its end is not told: another one does, at once", async () => {
    const { executor, all } = endings();
    const shell = seat(executor);
    const { text } = await shell.done("cd /usr; export kept=1; lost=1; echo $$");
    process.kill(Number(text), "SIGKILL");
    await until(() => all[0]?.tell !== undefined);
    const next = await shell.done("pwd; echo $kept ${lost-gone}; echo $$");
    assert.match(next.text, /^\/usr\n1 gone\n\d+\n$/);
    assert.equal(all.length, 2);
    // Its end is none of the other's.
    all[0]?.tell?.();
    assert.equal(
      (await shell.done("echo $kept $$")).text,
      next.text.replace(/.*\n(.*) gone\n/, "$1 "),
    );
    assert.equal(all.length, 2);
  });

  it("says nothing of a command that waits for the other one", async () => {
    const { executor, all } = endings();
    const shell = seat(executor);
    const { text } = await shell.done("echo $$");
    process.kill(Number(text), "SIGKILL");
    await until(() => all[0]?.tell !== undefined);
    const waiting = shell.run("(exit 7)");
    const [dead] = all;
    for (const report of dead?.reports ?? []) dead?.events.report(...report);
    dead?.tell?.();
    assert.deepEqual((await waiting.exited).outcome, { type: "exited", code: 7 });
  });
});
