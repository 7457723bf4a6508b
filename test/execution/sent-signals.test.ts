import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { outcomeOf } from "../../src/execution/run/outcome.ts";
import { SentSignals } from "../../src/execution/run/sent-signals.ts";

describe("a signal that was sent on request", () => {
  const sent = new SentSignals();
  sent.add("SIGUSR1", 1_000);
  sent.add("SIGKILL", 1_000);
  sent.add("SIGTERM", 60_000);
  const by = (signal: string, endMs: number) => {
    const outcome = outcomeOf({ code: null, signal }, { sent: sent.at(endMs) });
    return outcome.type === "signaled" && outcome.by;
  };

  it("ended the command that ends by it soon", () => {
    assert.equal(by("SIGUSR1", 1_000), "user");
    assert.equal(by("SIGUSR1", 3_000), "user");
    assert.equal(by("SIGTERM", 60_010), "user");
    assert.equal(by("SIGKILL", 60_010), "user"); // the host may have heard of it late
  });

  it("did not end one that ends by another signal, or by the same long after it was caught", () => {
    assert.equal(by("SIGINT", 1_000), "unknown");
    assert.equal(by("SIGUSR1", 60_010), "unknown");
  });

  it("ended it also by another name that it has", () => {
    assert.equal(by("SIGABRT", 1_000), "unknown");
    sent.add("SIGIOT", 1_000);
    assert.equal(by("SIGABRT", 1_000), "user");
    assert.equal(by("SIGIOT", 1_000), "user");
    sent.add("SIGRTMIN+1", 1_000);
    assert.equal(by("SIGRTMIN+1", 1_000), "user");
  });

  it("counts from the last time", () => {
    sent.add("SIGUSR1", 60_005);
    assert.equal(by("SIGUSR1", 60_010), "user");
  });
});
