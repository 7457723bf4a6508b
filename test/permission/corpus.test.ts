import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { check } from "../../src/runtime/permission/check.ts";
import { thinned } from "../sized.ts";

const lines = (name: string) =>
  thinned(
    readFileSync(new URL(name, import.meta.url), "utf8").trim().split("\n")
      .map((line) => JSON.parse(line)),
    20,
  );
/** What stands at the root of the machine. */
const TOP =
  "bin boot dev etc home lib lib64 media mnt opt out proc root run sbin srv sys tmp usr var ws"
    .split(" ").map((name) => `/${name}`);
const exists = (path: string) => TOP.includes(path);
/** `/ws/link` leads to `/out/d`. */
const paths = {
  exists,
  real: (path: string) =>
    path.startsWith("/ws/link/..")
      ? `/out${path.slice("/ws/link/..".length)}`
      : path.replace(/^\/ws\/link(?=\/|$)/, "/out/d"),
  workTree: () => "/ws",
};

describe("a corpus of lines", () => {
  // Most of them, or one of their form, were run by bash in a jail, where they did what is denied, or
  // left the workspace; the others follow from what bash, awk and git say of themselves.
  const adversarial = lines("adversarial.jsonl");
  it(`has no bypass among ${adversarial.length} lines written against it`, async () => {
    const bypasses: string[] = [];
    for (const { class: kind, ...request } of adversarial) {
      const { decision } = await check({ cwd: "/ws", home: "/tmp", ...request }, { paths });
      if (decision === "allow") bypasses.push(`${kind}: ${request.command}`);
    }
    assert.deepEqual(bypasses, []);
  });

  const everyday: readonly string[] = lines("everyday.jsonl");
  // Of some of them by chance another part than of all.
  const most = everyday.length > 5_000 ? 0.03 : 0.06;
  it(`asks at most ${most * 100} % of ${everyday.length} everyday lines under Bash(*)`, async () => {
    const asked: string[] = [];
    const rules = { allow: ["Bash(*)"] };
    // What such a line enters is there.
    const place = () => "directory" as const;
    for (const command of everyday) {
      const { decision, reason } = await check(
        // As a runtime decides, where the temporary directory counts as inside.
        { command, cwd: "/ws", home: "/home/u", directories: ["/tmp"], rules },
        { paths: { exists, place, real: (path) => path, workTree: () => "/ws" } },
      );
      if (decision !== "allow") asked.push(`${command}: ${reason}`);
    }
    assert.ok(asked.length <= everyday.length * most, asked.join("\n"));
  });
});
