import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Recorded, RuntimeEvent } from "../../src/event/event.ts";
import { asciicast, type AsciicastOptions } from "../../src/text/asciicast.ts";
import type { ByteSource } from "../../src/text/source/source.ts";
import { bytesOf, FakeSource, memorySource } from "./sources.ts";

const START = 1_700_000_000_250;

const started: RuntimeEvent = {
  type: "execution.started",
  commandId: "c1",
  executor: "test",
  pid: 1,
};
const onTerminal: RuntimeEvent = { ...started, terminal: { columns: 100, rows: 20 } };
const exited = (code: number): RuntimeEvent => ({
  type: "execution.exited",
  commandId: "c1",
  outcome: { type: "exited", code },
  durationMs: 1,
  leftovers: [],
});
const appended = (from: number, to: number): RuntimeEvent => ({
  type: "output.appended",
  commandId: "c1",
  from,
  to,
});

/** The lines of a recording of events at milliseconds after the start. */
async function cast(
  events: readonly (readonly [number, RuntimeEvent])[],
  source: ByteSource,
  options?: AsciicastOptions,
) {
  const recorded = events.map(([ms, event], seq): Recorded => ({ seq, at: START + ms, event }));
  let text = "";
  for await (const line of asciicast(recorded, source, options)) text += line;
  const [header, ...lines] = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  return { header, lines };
}

describe("an asciicast of a recorded command", () => {
  it("has the sizes, the time and the command, then the output at its times, and the exit", async () => {
    const requested: RuntimeEvent = {
      type: "command.requested",
      sessionId: "s1",
      commandId: "c1",
      command: "make",
      origin: "model",
      limits: {},
    };
    const { header, lines } = await cast(
      [
        [-5, requested],
        [0, started],
        [200, appended(0, 6)],
        [300, appended(6, 9)],
        [1500, appended(9, 12)],
        [1600, exited(2)],
      ],
      memorySource(bytesOf("a\nbcd\r\nefgh")),
      { columns: 100, rows: 30 },
    );
    assert.deepEqual(header, {
      version: 3,
      term: { cols: 100, rows: 30 },
      timestamp: 1_700_000_000,
      command: "make",
    });
    assert.deepEqual(lines, [
      [0.2, "o", "a\r\nbcd\r"],
      [0.1, "o", "\r\nef"],
      [1.2, "o", "gh"],
      [0.1, "x", "2"],
    ]);
  });

  it("has the sizes of a terminal among its output, as that wrote it", async () => {
    const resized: RuntimeEvent = {
      type: "execution.resized",
      commandId: "c1",
      columns: 90,
      rows: 30,
      at: 3,
    };
    const { header, lines } = await cast(
      [[0, onTerminal], [100, appended(0, 3)], [200, resized], [300, appended(3, 5)]],
      memorySource(bytesOf("a\nb\nc")),
    );
    assert.deepEqual(header.term, { cols: 100, rows: 20 });
    assert.deepEqual(lines, [
      [0.1, "o", "a\nb"],
      [0.1, "r", "90x30"],
      [0.1, "o", "\nc"],
    ]);
  });

  it("has a marker where bytes are lost, and what no event announced at its end", async () => {
    const source = new FakeSource("0123456789", { gaps: [{ from: 2, to: 5 }] });
    const { lines } = await cast([[0, started], [10, appended(0, 7)], [20, exited(0)]], source);
    assert.deepEqual(lines, [
      [0.01, "o", "01"],
      [0, "m", "bytes 2 to 5 are lost"],
      [0, "o", "56"],
      [0.01, "o", "789"],
      [0, "x", "0"],
    ]);
  });

  it("cuts no character, wherever events, times and answers of a source end", async () => {
    await fc.assert(fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.array(fc.nat(1000)),
      fc.integer({ min: 1, max: 9 }),
      async (text, cuts, maxRead) => {
        const bytes = bytesOf(text);
        const offsets = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
        offsets.sort((a, b) => a - b);
        const events = offsets.map((to, i) => [i, appended(offsets[i - 1] ?? 0, to)] as const);
        const source = new FakeSource(bytes, { maxRead });
        const { lines } = await cast([[0, onTerminal], ...events], source);
        assert.equal(lines.map(([, , data]) => data).join(""), text);
      },
    ));
  });
});
