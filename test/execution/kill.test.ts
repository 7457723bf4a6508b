import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KillProtocol } from "../../src/execution/tree/kill-protocol.ts";
import { ProcessTree } from "../../src/execution/tree/process-tree.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import type { ProcessInfo } from "../../src/platform/process/processes.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";

/** What becomes of a process after KILL, by the number of looks since. */
type Fate = (looks: number) => string | undefined;

/** End a process that takes no TERM, and answer who survived, if that is known after some time. */
async function killed(fate: Fate, { takes = true, others = false, old = false, ms = 60_000 } = {}) {
  const clock = new VirtualClock();
  const one = { pid: 70, startTime: "100", parent: 1, group: 70, session: 70 };
  let looks: number | undefined;
  let born = 0;
  const all = (): ProcessInfo[] => {
    if (looks !== undefined) looks++;
    const state = looks === undefined ? "S" : fate(looks);
    // A storm: each look shows another one.
    const other = { ...one, pid: 71 + ++born, startTime: String(100 + born), state: "R" };
    return [...(state === undefined ? [] : [{ ...one, state }]), ...(others ? [other] : [])];
  };
  const send = (name: string) => {
    if (name === "SIGKILL") looks ??= 0;
    return takes;
  };
  const nothing = { variable: () => undefined, openFiles: () => [] };
  let table = { all: all(), ...nothing };
  const processes = {
    ...hostProcesses("shellflow-test"),
    table: (fresh = false) => {
      if (fresh || !old) table = { all: all(), ...nothing };
      return table;
    },
    signal: (_: unknown, name: string) => send(name),
    signalGroup: (_: number, name: string) => name === "0" || send(name),
  };
  const tree = new ProcessTree(processes, {
    root: { pid: one.pid, startTime: one.startTime },
    isMark: () => false,
  });
  let survivors: readonly number[] | undefined;
  const kill = new KillProtocol(tree, { clock, graceMs: 100 });
  void kill.survivors.then((found) => {
    survivors = found.map(({ pid }) => pid);
  });
  kill.begin();
  for (let passed = 0; passed < ms && survivors === undefined; passed += 100) {
    clock.advance(100);
    await Promise.resolve();
  }
  return survivors;
}

describe("a process that took KILL", () => {
  it("has not survived while it waits for a processor or frees its memory, for half a minute", async () => {
    assert.deepEqual(await killed((looks) => looks < 200 ? "R" : "Z"), []);
    assert.equal(await killed(() => "D", { ms: 25_000 }), undefined);
    assert.deepEqual(await killed(() => "D", { ms: 40_000 }), [70]);
  });

  it("has not survived by a table from before it did", async () => {
    assert.deepEqual(await killed(() => undefined, { old: true }), []);
  });

  it("is not waited for among others that are started faster than they end", async () => {
    const survivors = await killed((looks) => looks < 60 ? "R" : undefined, { others: true });
    assert.equal(survivors?.length, 1);
  });
});

describe("a process that may not be signalled", () => {
  it("has survived after four seconds", async () => {
    assert.deepEqual(await killed(() => "S", { takes: false, ms: 5_000 }), [70]);
  });
});

describe("a process that has just started", () => {
  it("is asked to end, though a table from before it lacks it", () => {
    const one = { pid: 70, startTime: "100", parent: 1, group: 70, session: 70, state: "S" };
    const other = { ...one, pid: 71, startTime: "101", group: 71, session: 71 };
    const nothing = { variable: () => "mark", openFiles: () => [] };
    const asked: string[] = [];
    let table = { all: [one], ...nothing };
    const processes = {
      ...hostProcesses("shellflow-test"),
      table: (fresh: boolean | "turn" = false) => {
        if (fresh) table = { all: [one, other], ...nothing };
        return table;
      },
      signal: ({ pid }: { readonly pid: number }, name: string) => asked.push(`${name} ${pid}`) > 0,
      signalGroup: (_: number, name: string) => name === "0" || asked.push(`${name} 70`) > 0,
    };
    const tree = new ProcessTree(processes, { root: one, isMark: (word) => word === "mark" });
    new KillProtocol(tree, { clock: new VirtualClock() }).begin();
    assert.deepEqual(asked, ["SIGTERM 70", "SIGTERM 71", "SIGCONT 70", "SIGCONT 71"]);
  });
});

describe("what a shell runs", () => {
  const shell = { pid: 70, startTime: "100", parent: 1, group: 70, session: 70, state: "S" };
  const child = { ...shell, pid: 71, startTime: "101", parent: 70 };
  const grandchild = { ...shell, pid: 72, startTime: "102", parent: 71 };
  /** The signals to all of them within a second. */
  const asked = (endsAfterMs: number) => {
    const clock = new VirtualClock();
    const sent: string[] = [];
    const processes = {
      ...hostProcesses("shellflow-test"),
      table: () => ({
        all: clock.now() < endsAfterMs ? [shell, child, grandchild] : [child, grandchild],
        variable: () => "mark",
        openFiles: () => [],
      }),
      signal: ({ pid }: { readonly pid: number }, name: string) =>
        name === "SIGCONT" || sent.push(`${name} ${pid}`) > 0,
    };
    const tree = new ProcessTree(processes, {
      shell,
      inShell: () => true,
      isMark: (word) => word === "mark",
    });
    new KillProtocol(tree, { clock }).begin();
    clock.advance(1);
    const first = [...sent];
    clock.advance(1_000);
    return { first, all: sent };
  };

  it("is asked to end once the shell has ended, so that the shell says nothing of it", () => {
    const { first, all } = asked(2);
    assert.deepEqual(first, ["SIGTERM 70"]);
    assert.deepEqual(all, ["SIGTERM 70", "SIGTERM 71", "SIGTERM 72"]);
  });

  it("is asked all the same where the shell does not end", () => {
    assert.deepEqual(asked(Infinity).all, ["SIGTERM 70", "SIGTERM 71", "SIGTERM 72"]);
  });
});

describe("a process that was started while its parent was asked to end", () => {
  /** Whatever processes there are at each look: the signals to them. */
  const asked = (...looks: readonly (readonly Partial<ProcessInfo>[])[]) => {
    const clock = new VirtualClock();
    const signals: string[] = [];
    let look = 0;
    const processes = {
      ...hostProcesses("shellflow-test"),
      table: () => ({
        all: (looks[look] ?? []).map(({ pid = 0, parent = 1, ...more }) => ({
          ...{ pid, parent, startTime: String(pid), group: 70, session: 70, state: "S", ...more },
        })),
        variable: () => "mark",
        openFiles: () => [],
      }),
      signal: ({ pid }: { readonly pid: number }, name: string) =>
        name === "SIGCONT" || signals.push(`${look} ${name} ${pid}`) > 0,
    };
    const tree = new ProcessTree(processes, { isMark: (word) => word === "mark" });
    const kill = new KillProtocol(tree, { clock });
    kill.begin();
    for (look = 1; look < looks.length; look++) kill.lookNow();
    return signals;
  };

  it("is asked once, when it has no parent any more", () => {
    const child = { pid: 71, parent: 1 };
    assert.deepEqual(asked([{ pid: 70 }], [child], [child]), ["0 SIGTERM 70", "1 SIGTERM 71"]);
  });

  it("is not asked while it has its parent, which may clean up with it", () => {
    const shell = { pid: 70 };
    const child = { pid: 71, parent: 70 };
    assert.deepEqual(asked([shell], [shell, child], [shell, child]), ["0 SIGTERM 70"]);
  });

  it("is asked again when it has executed its program, as its parent's handler took the signal", () => {
    const copy = { pid: 71, parent: 1, forked: true };
    const child = { ...copy, forked: false };
    assert.deepEqual(asked([copy], [copy], [child], [child]), ["0 SIGTERM 71", "2 SIGTERM 71"]);
  });
});
