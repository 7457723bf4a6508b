import assert from "node:assert/strict";
import { it } from "node:test";
import { createPolicy } from "../../../src/permission/policy.ts";
import { permitOptions } from "../../../src/runtime/permission/permits.ts";

it("judges a command with a permission by the workspace of that, or where it runs", () => {
  const own = { policy: createPolicy({ workspace: "/ws", ignore: ["secret"] }) };
  assert.equal(permitOptions({}, own).policy.workspace, undefined);
  const { policy } = permitOptions({ workspace: "/other" }, own);
  assert.equal(policy.workspace, "/other");
  assert.ok(policy.ignored?.("/ws/secret"));
});

it("leaves questions to the asker of the runtime, unless the command has one or no one to ask", () => {
  const asker = () => Promise.resolve("deny" as const);
  const own = { policy: createPolicy({}), asker };
  const ask = () => Promise.resolve("once" as const);
  assert.equal(permitOptions({}, own).asker, asker);
  assert.equal(permitOptions({ ask }, own).asker, ask);
  assert.equal(permitOptions({ ask: "none" }, own).asker, undefined);
});
