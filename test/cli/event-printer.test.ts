import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lackPrinter } from "../../src/cli/run/event-printer.ts";
import type { RuntimeEvent } from "../../src/event/event.ts";

/** What is printed of events. */
function printed(events: readonly RuntimeEvent[], { recorded = true } = {}): string {
  let text = "";
  const err = (piece: string | Uint8Array) => {
    text += piece;
    return Promise.resolve();
  };
  const print = lackPrinter({ err }, { recorded });
  events.forEach((event, index) => print({ seq: index + 1, at: 0, event }));
  return text;
}

const commandId = "task_a";
const limited = { type: "output.limited", commandId, action: "drop" } as const;
const full: readonly RuntimeEvent[] = [
  { ...limited, limitBytes: 536870912, scope: "disk" },
  { type: "output.spillFailed", commandId, at: 0, reason: "ENOSPC: no space left on device" },
];

describe("what shellflow run prints of its events", () => {
  it("says why a log has not all of the output", () => {
    assert.equal(
      printed(full),
      "Not all of the output is recorded: the disk keeps 536870912 bytes free\n" +
        "Not all of the output is recorded: ENOSPC: no space left on device\n",
    );
  });

  it("says nothing of temporary files", () => {
    assert.equal(printed(full, { recorded: false }), "");
  });
});
