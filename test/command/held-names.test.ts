import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Held } from "../../src/command/walk/values/held.ts";
import { find, type HeldNames, mergeNames, put } from "../../src/command/walk/values/held-names.ts";

const table = (names: readonly string[], start?: HeldNames): HeldNames =>
  names.reduce((all, name) => put(all, { name, texts: [name] }), start);

/** A merge that takes what the first one lacks from the second one, and counts. */
function counting(): { readonly merge: (one: Held, other: Held) => Held; count: number } {
  const counted = {
    count: 0,
    merge: (one: Held, other: Held): Held => {
      counted.count++;
      return one.texts === undefined ? other : one;
    },
  };
  return counted;
}

describe("what is known of names", () => {
  const names = Array.from({ length: 500 }, (_, at) => `v${at}`);

  it("is found by the name, also where two have the same hash", () => {
    const all = table([...names, "Aa", "BB"]);
    for (const name of [...names, "Aa", "BB"]) assert.deepEqual(find(all, name)?.texts, [name]);
    assert.equal(find(all, "other"), undefined);
    assert.deepEqual(find(put(all, { name: "Aa", texts: [] }), "BB")?.texts, ["BB"]);
  });

  it("leaves the earlier version as it is", () => {
    const before = table(names);
    const after = put(before, { name: "v7", texts: ["x"] });
    assert.deepEqual(find(before, "v7")?.texts, ["v7"]);
    assert.deepEqual(find(after, "v7")?.texts, ["x"]);
  });

  it("is compared only where two versions differ", () => {
    const before = table(names);
    const counted = counting();
    mergeNames(put(before, { name: "v7", texts: ["x"] }), before, counted.merge);
    assert.ok(counted.count <= 2, `${counted.count} names were compared`);
  });

  it("is itself where the other one adds nothing, and has all names of both otherwise", () => {
    const one = table(names);
    assert.equal(mergeNames(one, table(names), counting().merge), one);
    const both = mergeNames(table(["a", "Aa"]), table(["b", "BB"]), counting().merge);
    for (const name of ["a", "b", "Aa", "BB"]) assert.deepEqual(find(both, name)?.texts, [name]);
  });
});
