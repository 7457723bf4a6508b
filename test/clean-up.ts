import { after } from "node:test";

const calls: (() => unknown)[] = [];
after(async () => {
  for (const call of calls.splice(0).reverse()) await call();
});

/** Do something once the tests of this file are over, also failed ones; Deno does not call what a test's context is given for that. */
export function cleanUp(call: () => unknown): void {
  calls.push(call);
}
