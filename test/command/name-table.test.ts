import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  find,
  type Merge,
  mergeTables,
  type NameTable,
  put,
} from "../../src/command/walk/values/name-table.ts";

interface Text {
  readonly name: string;
  readonly text?: string;
}

const table = (names: readonly string[]): NameTable<Text> =>
  names.reduce<NameTable<Text>>((all, name) => put(all, { name, text: name }), undefined);

/** Takes what the first one lacks from the second one, and counts. */
class Counting implements Merge<Text> {
  count = 0;
  readonly absent = (name: string): Text => ({ name });
  readonly both = (one: Text, other: Text): Text => {
    this.count++;
    return one.text === undefined ? other : one;
  };
}

describe("a table of names", () => {
  const names = Array.from({ length: 500 }, (_, at) => `v${at}`);

  it("is found by the name, also where two have the same hash", () => {
    const all = table([...names, "Aa", "BB"]);
    for (const name of [...names, "Aa", "BB"]) assert.equal(find(all, name)?.text, name);
    assert.equal(find(all, "other"), undefined);
    assert.equal(find(put(all, { name: "Aa", text: "" }), "BB")?.text, "BB");
  });

  it("leaves the earlier version as it is", () => {
    const before = table(names);
    const after = put(before, { name: "v7", text: "x" });
    assert.equal(find(before, "v7")?.text, "v7");
    assert.equal(find(after, "v7")?.text, "x");
  });

  it("is compared only where two versions differ", () => {
    const before = table(names);
    const counted = new Counting();
    mergeTables(put(before, { name: "v7", text: "x" }), before, counted);
    assert.ok(counted.count <= 2, `${counted.count} names were compared`);
  });

  it("is itself where the other one adds nothing, and has all names of both otherwise", () => {
    const one = table(names);
    assert.equal(mergeTables(one, table(names), new Counting()), one);
    const both = mergeTables(table(["a", "Aa"]), table(["b", "BB"]), new Counting());
    for (const name of ["a", "b", "Aa", "BB"]) assert.equal(find(both, name)?.text, name);
  });
});
